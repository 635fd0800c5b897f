/** Options of `chromium.launch`. */
export declare const launchOptions: { executablePath: string; args: string[] };
