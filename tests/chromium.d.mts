/** Options of `chromium.launch`: Chromium as people have it. */
export declare const launchOptions: { executablePath: string; args: string[] };
/** Its headless shell, where that is installed; otherwise the same as `launchOptions`. */
export declare const shellOptions: typeof launchOptions;
