import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { launchOptions, shellOptions } from "../chromium.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const port = Number(process.env.TEST_PORT ?? 4173);

// What a window has a part in (its own keys, Back, isolation) is tried in Chromium as people have it.
const inWindow = /(compiled|keyboard|links|threads)\.spec\.ts$/;

export default defineConfig({
  testDir: ".",
  outputDir: `${root}/test-results`,
  timeout: 30_000,
  expect: { timeout: 10_000 },
  workers: 1,
  reporter: "list",
  use: {
    baseURL: `http://localhost:${port}/some/base/`,
    browserName: "chromium",
    viewport: { width: 1440, height: 900 },
    // A second browser's worth of motion and of clipboard questions is of no use here.
    contextOptions: { reducedMotion: "reduce" },
  },
  projects: [
    { name: "chromium", testMatch: inWindow, use: { launchOptions } },
    { name: "shell", testIgnore: inWindow, use: { launchOptions: shellOptions } },
  ],
  webServer: {
    // Under a prefix: the page must work below any address.
    command: `node web/serve.mjs dist ${port}`,
    cwd: root,
    env: { SERVE_PREFIX: "/some/base" },
    url: `http://localhost:${port}/some/base/`,
    reuseExistingServer: false,
  },
});
