/**
 * The examples by what one learns from them, each with a picture: rows of cells, where letters are
 * colours, `/` is padding and a blank is nothing.
 */
export interface ExampleGroup {
  title: string;
  sentence: string;
  /** By id, in the order in which they are shown. */
  pictures: Readonly<Record<string, readonly string[]>>;
}

export const groups: readonly ExampleGroup[] = [
  {
    title: "Begin here",
    sentence: "A whole program, and a single line of one.",
    pictures: {
      "padded-mlp": ["aabbc/", "aabbc/", "ddeef/", "//////"],
      "one-instruction": ["      ", "abbbcc", "      ", "      "],
      attention: ["a     ", "aa    ", "aaa   ", "aaaa  "],
    },
  },
  {
    title: "Layouts: where each element lies",
    sentence: "The same array in rows, columns and tiles, step by step.",
    pictures: {
      "linear-index": ["aaabbb", "aaabbb", "abcabc", "abcabc"],
      "figure-1": ["aabb", "aabb", "ccdd", "ccdd"],
      "figure-2": ["abababab", "abababab", "cdcdcdcd", "cdcdcdcd"],
      film: ["ab  aabb", "cd  aabb", "    ccdd", "    ccdd"],
      relayout: ["aaaa aabb", "bbbb aabb", "cccc ccdd", "dddd ccdd"],
      combining: ["aaabbbccc", "aaabbbccc", "dddeeefff", "dddeeefff"],
      "legacy-padding": ["aa///", "bb///", "/////", "     "],
      "morello-packed": ["aaaabbbb", "ccccdddd", "aaaabbbb", "ccccdddd"],
      "morello-odd-even": ["abababab", "        ", "aaaabbbb", "        "],
    },
  },
  {
    title: "Memory: what it costs",
    sentence: "Padding, packing, and programs that do not fit.",
    pictures: {
      "padding-waste": ["a///////", "a///////", "a///////", "a///////"],
      "bf16-packing": ["aabbccdd", "eeffaabb", "aabbccdd", "eeffaabb"],
      "memory-report": ["aaaaaaaa", "aaaabb  ", "cc      ", "d       "],
    },
  },
  {
    title: "Operations: what each computes",
    sentence: "Run them and look at every value on the way.",
    pictures: {
      reduce: ["abcd  e", "abcd  e", "abcd  e", "abcd  e"],
      "dot-general": ["aa bb cc", "aa bb cc", "aa bb cc", "        "],
      convolution: ["aaab  d", "aaab   ", "aaab  d", "bbbb   "],
      "top-tokens": ["a      ", "aaa    ", "aaaaa  ", "aaaaaaa"],
      "element-types": ["a       ", "bb      ", "cccc    ", "dddddddd"],
    },
  },
  {
    title: "Control flow and several devices",
    sentence: "Loops, branches, and programs that talk to one another.",
    pictures: {
      "while-loop": [" aaaa ", "a    a", "a  b a", " aabaa"],
      conditional: ["  aa  ", " b  c ", "bb  cc", "  dd  "],
      "all-reduce": ["aa  bb", "aa  bb", "cc  dd", "cc  dd"],
      endless: [" aaaa ", "a    a", "a    a", " aaaa "],
    },
  },
  {
    title: "StableHLO",
    sentence: "What JAX and other frameworks print, run and shown as HLO beside it.",
    pictures: {
      "jax-mlp": ["aaa bb", "aa  bb", "aaa b ", "a   bb"],
      "stablehlo-checks": ["     a", "    a ", "b  a  ", " bb   "],
      "open-sizes": ["aaaaaa", "aaaaaa", "//////", "//////"],
    },
  },
];
