// What the text of an element type says about its elements, for callers that have no more than that
// text: the families of engine/types/element_type.def begin with letters of their own.

/**
 * Whether the elements of an element type, or of an array's shape ("c64[2,3]"), are complex.
 */
export const isComplex = (type: string): boolean => type.startsWith("c");

/** The type of the real and the imaginary part of a complex type: "f32" of "c64". */
export const partType = (complex: string): string => `f${Number(complex.slice(1)) / 2}`;

/** Whether an element type is one of integers with a sign. */
export const isSigned = (type: string): boolean => type.startsWith("s");

/** Whether an element type is one of integers. */
export const isInteger = (type: string): boolean => /^[su]\d/.test(type);
