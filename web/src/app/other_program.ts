/** A program beside the one in the editor. */

export interface OtherProgram {
  /** The file that it comes from, or what it is. */
  name: string;
  text: string;
}

/** How it is written into links: its name, a line break, its text. */
export function writeOther(other: OtherProgram | null): string {
  return other ? `${other.name}\n${other.text}` : "";
}

export function readOther(text: string): OtherProgram | null {
  const end = text.indexOf("\n");
  if (end < 0) return null;
  return { name: text.slice(0, Math.min(end, 200)), text: text.slice(end + 1) };
}
