// What the text of an element type says about its elements, for callers that have no more than that
// text: the families of engine/types/element_type.def begin with letters of their own.

/**
 * Whether the elements of an element type, or of an array's shape ("c64[2,3]"), are complex.
 */
export const isComplex = (type: string): boolean => type.startsWith("c");

/** Whether an element type is one of integers with a sign. */
export const isSigned = (type: string): boolean => type.startsWith("s");

/** Whether an element type is one of integers. */
export const isInteger = (type: string): boolean => /^[su]\d/.test(type);
