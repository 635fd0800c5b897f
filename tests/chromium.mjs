// How Chromium is started here, for the tests, the benchmark and the judge of the page: without what
// would ask the network or the graphics card.
import process from "node:process";

export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};
