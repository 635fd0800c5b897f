import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: here("../.."),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    environment: "happy-dom",
    globalSetup: here("built.ts"),
    include: ["tests/web/**/*.test.{ts,tsx}"],
    // None of them measures time; on two busy cores the longest take several times what they take alone.
    testTimeout: 20_000,
  },
});
