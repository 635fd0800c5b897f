// How Chromium is started here, for the tests, the benchmark and the judge of the page: without what
// would ask the network or the graphics card.
import { existsSync } from "node:fs";
import process from "node:process";

// The suggestions under the address bar are a page of their own, which Chromium loads for every window,
// seen or not, at the cost of half of a page that is tested. The switch replaces Playwright's, from
// which the other names come.
const disabledFeatures = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "PaintHolding",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

export const launchOptions = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    `--disable-features=${disabledFeatures}`,
  ],
};

// The same release without windows of its own: pages are what they are in Chromium, for 0.6 of the work
// of both cores.
const shell = "/usr/bin/chromium-headless-shell";

export const shellOptions =
  process.env.CHROMIUM || !existsSync(shell)
    ? launchOptions
    : { ...launchOptions, executablePath: shell };
