/** The view for which an example is looked for, when the list of them opens; "": for none. */
import { signal } from "@preact/signals";
import { perPage } from "../app/app";

export const suggested = perPage(() => signal(""));
