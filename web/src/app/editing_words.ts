/** What is said of changes to the text, and of moving in it; fetched with what does them. */
export const editingWords = {
  alreadyFormatted: "Nothing to format.",
  noDefinition: "Nothing here has a definition.",
  noUses: "Nothing here is used elsewhere.",
  uses: (at: number, of: number) => `Use ${at} of ${of}`,
  renameLabel: "New name",
  noName: "A name has letters, digits, _, - and . and does not begin with a digit.",
  noNameInStablehlo: "A name has letters, digits, _, $, - and .",
  nameTaken: (name: string) => `The program has another ${name} already.`,
  renameGo: "Rename",
  renameRefused: (name: string, why: string) =>
    `The program cannot have the name ${name} here: ${why}`,
  renameLate: "The program has changed meanwhile.",
};
