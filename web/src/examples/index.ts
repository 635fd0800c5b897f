/**
 * The built-in programs. Adding one is a file and an entry here; its id is permanent: links name it.
 * Their texts are fetched when somebody opens them, but for the first one, which the page opens with.
 */
import first from "./padded-mlp.hlo?raw";

const texts = import.meta.glob<string>(["./*.{hlo,mlir,txt}", "!./padded-mlp.hlo"], {
  query: "?raw",
  import: "default",
});

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

export const examples: readonly Example[] = [
  {
    id: "padded-mlp",
    group: "begin",
    picture: ["aabbc/", "aabbc/", "ddeef/", "//////"],
    title: "A layer with padding",
    sentence: "A matrix product and a softmax in tiles of 2x2; a third of the memory is padding.",
    file: "padded-mlp.hlo",
    inputs: ["iota", "normal"],
    view: "layout",
    cursor: "f32[3,5]{1,0:T(2,2)} parameter",
  },
  {
    id: "figure-1",
    group: "layouts",
    picture: ["aabb", "aabb", "ccdd", "ccdd"],
    title: "Tiling, figure 1",
    sentence: "f32[3,5] in tiles of 2x2: the picture in XLA's documentation.",
    file: "figure-1.hlo",
    view: "layout",
    cursor: "f32[3,5]{1,0:T(2,2)} add",
  },
  {
    id: "figure-2",
    group: "layouts",
    picture: ["abababab", "abababab", "cdcdcdcd", "cdcdcdcd"],
    title: "Tiling, figure 2",
    sentence: "Tiles within tiles: 4x8 in (2,4)(2,1).",
    file: "figure-2.hlo",
    view: "layout",
    cursor: "s32[4,8]{1,0:T(2,4)(2,1)} add",
  },
  {
    id: "linear-index",
    group: "layouts",
    picture: ["aaabbb", "aaabbb", "abcabc", "abcabc"],
    title: "Rows or columns first",
    sentence: "2x3 row by row and column by column, and where row 1, column 2 lies in each.",
    file: "linear-index.hlo",
    view: "layout",
    cursor: "s32[2,3]{0,1} copy",
    link: "cell=1,2",
  },
  {
    id: "one-instruction",
    group: "begin",
    picture: ["      ", "abbbcc", "      ", "      "],
    title: "One instruction",
    sentence:
      "A line of a dump alone: what each part of it means, and how its result lies in VMEM.",
    file: "one-instruction.hlo",
    view: "layout",
    cursor: "bf16[32,32,4096]",
    runs: false,
  },
  {
    id: "padding-waste",
    group: "memory",
    picture: ["a///////", "a///////", "a///////", "a///////"],
    title: "Where memory goes",
    sentence: "A last dimension of 3 under tiles of 128: a 42-fold expansion, and a way out.",
    file: "padding-waste.hlo",
    view: "layout",
    cursor: "f32[128,3]{1,0:T(8,128)} parameter",
  },
  {
    id: "bf16-packing",
    group: "memory",
    picture: ["aabbccdd", "eeffaabb", "aabbccdd", "eeffaabb"],
    title: "bf16 in pairs",
    sentence: "How two rows of bf16 share 32-bit words, and what rounding loses.",
    file: "bf16-packing.hlo",
    inputs: ["normal"],
    view: "layout",
    cursor: "bf16[16,256]{1,0:T(8,128)(2,1)} convert",
  },
  {
    id: "combining",
    group: "layouts",
    picture: ["aaabbbccc", "aaabbbccc", "dddeeefff", "dddeeefff"],
    title: "Tiles that combine dimensions",
    sentence: "Stars in a tile make a matrix of five dimensions before it is cut by 2x3.",
    file: "combining.hlo",
    view: "layout",
    cursor: "s32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)} iota",
  },
  {
    id: "legacy-padding",
    group: "layouts",
    picture: ["aa///", "bb///", "/////", "     "],
    title: "Padded dimensions",
    sentence: "2x3 padded to 3x5, column by column: the example in XLA's text on shapes.",
    file: "legacy-padding.hlo",
    view: "layout",
    cursor: "s32[2,3]{0,1:PAD(3,5;0)} add",
  },
  {
    id: "morello-packed",
    group: "layouts",
    picture: ["aaaabbbb", "ccccdddd", "aaaabbbb", "ccccdddd"],
    title: "Morello, packed",
    sentence: "6x8 in packs of four columns: the picture in Morello's text on layouts.",
    file: "morello-packed.hlo",
    view: "layout",
    link: "morello=f32[6,8] [1, 0, 1 p(4)]",
  },
  {
    id: "morello-odd-even",
    group: "layouts",
    picture: ["abababab", "        ", "aaaabbbb", "        "],
    title: "Morello, odd and even",
    sentence: "Of every eight values the even ones first, so that vector lanes need not cross.",
    file: "morello-odd-even.hlo",
    view: "layout",
    link: "morello=f32[2,16] [0, 1, 1 oe(8)]",
  },
  {
    id: "film",
    group: "layouts",
    picture: ["ab  aabb", "cd  aabb", "    ccdd", "    ccdd"],
    title: "A film of tiles",
    sentence:
      "How f32[3,5] becomes tiles of 2x2: padded, reshaped, transposed, one step at a time.",
    file: "figure-1.hlo",
    view: "layout",
    cursor: "f32[3,5]{1,0:T(2,2)} add",
    link: "film=0&pins=2,3~0,4~1,1",
  },
  {
    id: "relayout",
    group: "layouts",
    picture: ["aaaa aabb", "bbbb aabb", "cccc ccdd", "dddd ccdd"],
    title: "Two layouts compared",
    sentence: "Where every element goes from rows to tiles of 2x2, and what that costs.",
    file: "figure-1.hlo",
    view: "layout",
    link: "compare=f32[3,5]{1,0}|f32[3,5]{1,0:T(2,2)}",
  },
  {
    id: "memory-report",
    group: "memory",
    picture: ["aaaaaaaa", "aaaabb  ", "cc      ", "d       "],
    title: "Out of memory",
    sentence:
      "What XLA prints when a program does not fit: its buffers, and why they are so large.",
    file: "memory-report.txt",
    view: "memory",
    runs: false,
  },
  {
    id: "attention",
    group: "begin",
    picture: ["a     ", "aa    ", "aaa   ", "aaaa  "],
    title: "Attention",
    sentence: "Two heads of masked dot-product attention, every step of it readable.",
    file: "attention.hlo",
    inputs: ["normal", "normal", "normal"],
    view: "values",
    cursor: "weights = f32",
  },
  {
    id: "jax-mlp",
    group: "stablehlo",
    picture: ["aaa bb", "aa  bb", "aaa b ", "a   bb"],
    title: "StableHLO from JAX",
    sentence: "Two layers, relu and softmax, as jax.jit prints them; beside them the same as HLO.",
    file: "jax-mlp.mlir",
    inputs: ["normal", "normal", "normal", "normal", "normal"],
    view: "dialect",
  },
  {
    id: "stablehlo-checks",
    group: "stablehlo",
    picture: ["     a", "    a ", "b  a  ", " bb   "],
    title: "StableHLO with checks",
    sentence: "Functions that carry their inputs and what they expect, as StableHLO's tests do.",
    file: "stablehlo-checks.mlir",
    view: "values",
  },
  {
    id: "open-sizes",
    group: "stablehlo",
    picture: ["aaaaaa", "aaaaaa", "//////", "//////"],
    title: "StableHLO with open sizes",
    sentence: "A program for any number of rows: the inputs say how many.",
    file: "open-sizes.mlir",
    inputs: ["f32[3,4] iota", "{1,2,3,4}"],
    view: "dialect",
  },
  {
    id: "while-loop",
    group: "control",
    picture: [" aaaa ", "a    a", "a  b a", " aabaa"],
    title: "A loop",
    sentence: "Newton's iteration for the root of 2, value by value.",
    file: "while-loop.hlo",
    view: "values",
  },
  {
    id: "reduce",
    group: "operations",
    picture: ["abcd  e", "abcd  e", "abcd  e", "abcd  e"],
    title: "Reduce two arrays at once",
    sentence: "The largest value of each row and where it stands.",
    file: "reduce.hlo",
    inputs: ["normal"],
    view: "values",
  },
  {
    id: "dot-general",
    group: "operations",
    picture: ["aa bb cc", "aa bb cc", "aa bb cc", "        "],
    title: "General products",
    sentence: "Batch dimensions and several contracted ones.",
    file: "dot-general.hlo",
    inputs: ["iota", "iota", "normal"],
    view: "values",
  },
  {
    id: "conditional",
    group: "control",
    picture: ["  aa  ", " b  c ", "bb  cc", "  dd  "],
    title: "A conditional",
    sentence: "The sign of a sum chooses the branch.",
    file: "conditional.hlo",
    inputs: ["normal"],
    view: "values",
  },
  {
    id: "convolution",
    group: "operations",
    picture: ["aaab  d", "aaab   ", "aaab  d", "bbbb   "],
    title: "Convolution and pooling",
    sentence: "An edge filter over a small image, then the largest of each window.",
    file: "convolution.hlo",
    inputs: ["normal"],
    view: "values",
  },
  {
    id: "top-tokens",
    group: "operations",
    picture: ["a      ", "aaa    ", "aaaaa  ", "aaaaaaa"],
    title: "Gather, sort, top k",
    sentence: "Rows of a table by index, their scores in order, the best three.",
    file: "top-tokens.hlo",
    inputs: ["normal", "normal"],
    view: "values",
  },
  {
    id: "all-reduce",
    group: "control",
    picture: ["aa  bb", "aa  bb", "cc  dd", "cc  dd"],
    title: "Four devices",
    sentence: "Two replicas of two partitions gather, reduce and exchange blocks.",
    file: "all-reduce.hlo",
    view: "values",
  },
  {
    id: "element-types",
    group: "operations",
    picture: ["a       ", "bb      ", "cccc    ", "dddddddd"],
    title: "Element types",
    sentence: "One third in six types, and integers that do not fit.",
    file: "element-types.hlo",
    view: "values",
  },
  {
    id: "endless",
    group: "control",
    picture: [" aaaa ", "a    a", "a    a", " aaaa "],
    title: "A loop without end",
    sentence: "For trying out Cancel.",
    file: "endless.hlo",
    view: "values",
  },
];

export const FIRST_EXAMPLE = "padded-mlp";

export function findExample(id: string): Example | null {
  return examples.find((example) => example.id === id) ?? null;
}

/** Rejects when it cannot be fetched. */
export async function exampleText({ id, file }: Example): Promise<string> {
  if (id === FIRST_EXAMPLE) return first;
  const load = texts[`./${file}`];
  if (!load) throw new Error(file);
  return load();
}
