/** What parts of the frame say once they are loaded. */
import { words } from "../strings";

export const faultWords = {
  title: "Problems",
  line: (n: number) => `Line ${n}:`,
  more: (n: number) => `${words.count(n, "more", "more")} of the same cause, in line`,
};
