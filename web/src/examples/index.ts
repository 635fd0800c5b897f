/** The built-in programs. Adding one is a file and an entry here; its id lives for ever in links. */
import allReduce from "./all-reduce.hlo?raw";
import attention from "./attention.hlo?raw";
import bf16Packing from "./bf16-packing.hlo?raw";
import conditional from "./conditional.hlo?raw";
import convolution from "./convolution.hlo?raw";
import dotGeneral from "./dot-general.hlo?raw";
import elementTypes from "./element-types.hlo?raw";
import endless from "./endless.hlo?raw";
import figure1 from "./figure-1.hlo?raw";
import figure2 from "./figure-2.hlo?raw";
import jaxMlp from "./jax-mlp.mlir?raw";
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
