/** What an example is, and the first one, which the page opens with. */

/** What one learns from the examples. */
export type ExampleGroup = "begin" | "layouts" | "memory" | "operations" | "control" | "stablehlo";

export interface Example {
  id: string;
  group: ExampleGroup;
  /** Rows of cells: letters are colours, `/` is padding and a blank is nothing. */
  picture: readonly string[];
  title: string;
  sentence: string;
  /** In this folder. */
  file: string;
  /** One specification per parameter; random when absent. */
  inputs?: string[];
  /** The view it opens in, and the text the cursor is put on. */
  view?: string;
  cursor?: string;
  /** What else a link to it would say: a layout, another to compare with, a film. */
  link?: string;
  /** False: this is no program. */
  runs?: boolean;
}

export const FIRST_EXAMPLE: Example = {
  id: "padded-mlp",
  group: "begin",
  picture: ["aabbc/", "aabbc/", "ddeef/", "//////"],
  title: "A layer with padding",
  sentence: "A matrix product and a softmax in tiles of 2x2; a third of the memory is padding.",
  file: "padded-mlp.hlo",
  inputs: ["iota", "normal"],
  view: "layout",
  cursor: "f32[3,5]{1,0:T(2,2)} parameter",
};
