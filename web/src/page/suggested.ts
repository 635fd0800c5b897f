/** The example that the list of them is opened for; "": for none. */
import { signal } from "@preact/signals";
import { perPage } from "../app/app";

export const suggested = perPage(() => signal(""));
