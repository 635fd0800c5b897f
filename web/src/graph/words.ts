/** What is written in the boxes of a graph. */
import { words } from "../strings";

export const boxWords = {
  inside: (n: number) => `${words.status.instructions(n)} inside`,
  fromTo: (first: string, last: string) => (first === last ? first : `${first} … ${last}`),
};
