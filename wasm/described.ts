/** Values in messages. */

/** The name of a class with its article; a U as in Uint8Array is spoken as a consonant. */
export const withArticle = (name: string): string => `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;

/** A value as a message calls it: texts and numbers as they are, of the rest what it is. */
export function described(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  return withArticle((value.constructor as { name?: string } | undefined)?.name || "Object");
}
