/**
 * The built-in programs; all but the first, which the page opens with, are fetched when one of them is
 * asked for.
 */
import { type Example, FIRST_EXAMPLE } from "./first";
import first from "./padded-mlp.hlo?raw";

export { type Example, type ExampleGroup, FIRST_EXAMPLE } from "./first";

const found = new Map<string, Example>([[FIRST_EXAMPLE.id, FIRST_EXAMPLE]]);

/** An example that `findExample` has found before. */
export const knownExample = (id: string): Example | null => found.get(id) ?? null;

/** Null when there is none of this name. Rejects when the list of examples cannot be fetched. */
export async function findExample(id: string): Promise<Example | null> {
  if (id === "" || found.has(id)) return knownExample(id);
  const { examples } = await import("./list");
  for (const example of examples) found.set(example.id, example);
  return knownExample(id);
}

/** Rejects when it cannot be fetched. */
export async function exampleText(example: Example): Promise<string> {
  if (example === FIRST_EXAMPLE) return first;
  return (await import("./list")).exampleText(example);
}

/** An example and its text; null when there is none of this name, or when it cannot be fetched. */
export async function fetchExample(id: string): Promise<{ example: Example; text: string } | null> {
  try {
    const example = await findExample(id);
    return example && { example, text: await exampleText(example) };
  } catch {
    return null;
  }
}
