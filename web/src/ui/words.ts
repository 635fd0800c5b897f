/** What small parts say that come with the views. */
export const axesWords = {
  down: "down",
  across: "across",
  none: "none",
  colours: "colours",
  grey: "none: grey",
  dim: (d: number) => `dim ${d}`,
  fixed: (d: number, size: number) => `Index in dimension ${d}, 0 to ${size - 1}`,
  legend: "Axes",
};

export const filterWords = {
  clear: "Clear the filter",
};
