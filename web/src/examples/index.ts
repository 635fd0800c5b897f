/** The built-in programs. Adding one is a file and an entry here; its id lives for ever in links. */
import allReduce from "./all-reduce.hlo?raw";
import attention from "./attention.hlo?raw";
import bf16Packing from "./bf16-packing.hlo?raw";
import combining from "./combining.hlo?raw";
import conditional from "./conditional.hlo?raw";
import convolution from "./convolution.hlo?raw";
import dotGeneral from "./dot-general.hlo?raw";
import elementTypes from "./element-types.hlo?raw";
import endless from "./endless.hlo?raw";
import figure1 from "./figure-1.hlo?raw";
import figure2 from "./figure-2.hlo?raw";
import jaxMlp from "./jax-mlp.mlir?raw";
import legacyPadding from "./legacy-padding.hlo?raw";
import memoryReport from "./memory-report.txt?raw";
import morelloOddEven from "./morello-odd-even.hlo?raw";
import morelloPacked from "./morello-packed.hlo?raw";
import paddedMlp from "./padded-mlp.hlo?raw";
import paddingWaste from "./padding-waste.hlo?raw";
import reduce from "./reduce.hlo?raw";
import stablehloChecks from "./stablehlo-checks.mlir?raw";
import topTokens from "./top-tokens.hlo?raw";
import whileLoop from "./while-loop.hlo?raw";

export interface Example {
  id: string;
  title: string;
  sentence: string;
  text: string;
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
    title: "A layer with padding",
    sentence: "A matrix product and a softmax in tiles of 2x2; a third of the memory is padding.",
    text: paddedMlp,
    inputs: ["iota", "normal"],
    view: "layout",
    cursor: "f32[3,5]{1,0:T(2,2)} parameter",
  },
  {
    id: "figure-1",
    title: "Tiling, figure 1",
    sentence: "f32[3,5] in tiles of 2x2: the picture in XLA's documentation.",
    text: figure1,
    view: "layout",
    cursor: "f32[3,5]{1,0:T(2,2)} add",
  },
  {
    id: "figure-2",
    title: "Tiling, figure 2",
    sentence: "Tiles within tiles: 4x8 in (2,4)(2,1).",
    text: figure2,
    view: "layout",
    cursor: "s32[4,8]{1,0:T(2,4)(2,1)} add",
  },
  {
    id: "padding-waste",
    title: "Where memory goes",
    sentence: "A last dimension of 3 under tiles of 128: a 42-fold expansion, and a way out.",
    text: paddingWaste,
    view: "layout",
    cursor: "f32[128,3]{1,0:T(8,128)} parameter",
  },
  {
    id: "bf16-packing",
    title: "bf16 in pairs",
    sentence: "How two rows of bf16 share 32-bit words, and what rounding loses.",
    text: bf16Packing,
    inputs: ["normal"],
    view: "layout",
    cursor: "bf16[16,256]{1,0:T(8,128)(2,1)} convert",
  },
  {
    id: "combining",
    title: "Tiles that combine dimensions",
    sentence: "Stars in a tile make a matrix of five dimensions before it is cut by 2x3.",
    text: combining,
    view: "layout",
    cursor: "s32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)} iota",
  },
  {
    id: "legacy-padding",
    title: "Padded dimensions",
    sentence: "2x3 padded to 3x5, column by column: the example in XLA's text on shapes.",
    text: legacyPadding,
    view: "layout",
    cursor: "s32[2,3]{0,1:PAD(3,5;0)} add",
  },
  {
    id: "morello-packed",
    title: "Morello, packed",
    sentence: "6x8 in packs of four columns: the picture in Morello's text on layouts.",
    text: morelloPacked,
    view: "layout",
    link: "morello=f32[6,8] [1, 0, 1 p(4)]",
  },
  {
    id: "morello-odd-even",
    title: "Morello, odd and even",
    sentence: "Of every eight values the even ones first, so that vector lanes need not cross.",
    text: morelloOddEven,
    view: "layout",
    link: "morello=f32[2,16] [0, 1, 1 oe(8)]",
  },
  {
    id: "film",
    title: "A film of tiles",
    sentence:
      "How f32[3,5] becomes tiles of 2x2: padded, reshaped, transposed, one step at a time.",
    text: figure1,
    view: "layout",
    cursor: "f32[3,5]{1,0:T(2,2)} add",
    link: "film=0&pins=2,3~0,4~1,1",
  },
  {
    id: "relayout",
    title: "Two layouts compared",
    sentence: "Where every element goes from rows to tiles of 2x2, and what that costs.",
    text: figure1,
    view: "layout",
    link: "compare=f32[3,5]{1,0}|f32[3,5]{1,0:T(2,2)}",
  },
  {
    id: "memory-report",
    title: "Out of memory",
    sentence:
      "What XLA prints when a program does not fit: its buffers, and why they are so large.",
    text: memoryReport,
    view: "memory",
    runs: false,
  },
  {
    id: "attention",
    title: "Attention",
    sentence: "Two heads of masked dot-product attention, every step of it readable.",
    text: attention,
    inputs: ["normal", "normal", "normal"],
    view: "values",
    cursor: "weights = f32",
  },
  {
    id: "jax-mlp",
    title: "StableHLO from JAX",
    sentence: "Two layers, relu and softmax, as jax.jit prints them; beside them the same as HLO.",
    text: jaxMlp,
    inputs: ["normal", "normal", "normal", "normal", "normal"],
    view: "dialect",
  },
  {
    id: "stablehlo-checks",
    title: "StableHLO with checks",
    sentence: "Functions that carry their inputs and what they expect, as StableHLO's tests do.",
    text: stablehloChecks,
    view: "values",
  },
  {
    id: "while-loop",
    title: "A loop",
    sentence: "Newton's iteration for the root of 2, value by value.",
    text: whileLoop,
    view: "values",
  },
  {
    id: "reduce",
    title: "Reduce two arrays at once",
    sentence: "The largest value of each row and where it stands.",
    text: reduce,
    inputs: ["normal"],
    view: "values",
  },
  {
    id: "dot-general",
    title: "General products",
    sentence: "Batch dimensions and several contracted ones.",
    text: dotGeneral,
    inputs: ["iota", "iota", "normal"],
    view: "values",
  },
  {
    id: "conditional",
    title: "A conditional",
    sentence: "The sign of a sum chooses the branch.",
    text: conditional,
    inputs: ["normal"],
    view: "values",
  },
  {
    id: "convolution",
    title: "Convolution and pooling",
    sentence: "An edge filter over a small image, then the largest of each window.",
    text: convolution,
    inputs: ["normal"],
    view: "values",
  },
  {
    id: "top-tokens",
    title: "Gather, sort, top k",
    sentence: "Rows of a table by index, their scores in order, the best three.",
    text: topTokens,
    inputs: ["normal", "normal"],
    view: "values",
  },
  {
    id: "all-reduce",
    title: "Four devices",
    sentence: "Two replicas of two partitions gather, reduce and exchange blocks.",
    text: allReduce,
    view: "values",
  },
  {
    id: "element-types",
    title: "Element types",
    sentence: "One third in six types, and integers that do not fit.",
    text: elementTypes,
    view: "values",
  },
  {
    id: "endless",
    title: "A loop without end",
    sentence: "For trying out Cancel.",
    text: endless,
    view: "values",
  },
];

export const FIRST_EXAMPLE = "padded-mlp";

export function findExample(id: string): Example | null {
  return examples.find((example) => example.id === id) ?? null;
}
