/** What the list of operations says once it is loaded. */
export const opsWords = {
  filter: "Search operations",
  noMatch: "No operation matches.",
  evaluated: "runs",
  parsed: "parses and checks",
  operands: "Operands",
  attributes: "Attributes",
  types: "Types",
  source: "Source",
  differs: "Differs",
  required: "required",
  count: (shown: number, all: number) => `${shown} of ${all}`,
};
