/** The interface of a view, which its folder exports and nothing else. */
import type { JSX } from "preact";
import type { App, ViewTraits } from "../app/app";
import type { Command } from "../commands/command";
import type { LinePointer } from "../editor/linked";
import type { IconName } from "../ui/Icon";

/** A parameter of a view in links. Readable, since people write links by hand. */
export interface LinkField<T = unknown> {
  key: string;
  /** The default, which is not written into links. */
  default: T;
  /** Parses a value; null if it is invalid. */
  parse(text: string): T | null;
  print(value: T): string;
  /** Where the value is stored: usually a signal of the view's session. */
  of(app: App): { value: T };
  /** Its value is a text, which may be long: links have it beside the program, not in the open. */
  isText?: boolean;
  /** A preference rather than a place: a link without it leaves it unchanged. */
  stays?: boolean;
}

export interface View extends ViewTraits {
  readonly title: string;
  /** The tab's title, if it depends on the program. */
  tab?(app: App): string;
  readonly icon: IconName;
  Component(props: { app: App }): JSX.Element | null;
  /** The text shown when there is nothing to show. */
  readonly empty: string;
  /** Work done even while the view is not shown: starts with the page. */
  start?(app: App): () => void;
  readonly link?: readonly LinkField[];
  readonly commands?: readonly Command[];
  /** Receives the line of the program that is pointed at. */
  pointer?(app: App): LinePointer;
}

/** Reads one of these words from a link. */
export function oneOf<T extends string>(words: readonly T[]): (text: string) => T | null {
  return (text) => words.find((word) => word === text) ?? null;
}

/** Reads a whole number of at most so many digits from a link: 6 for devices, 15 for steps. */
export function wholeNumber(digits: 6 | 15): (text: string) => number | null {
  return (text) => (/^\d+$/.test(text) && text.length <= digits ? Number(text) : null);
}

/** A field among those of other types. */
export function linkField<T>(field: LinkField<T>): LinkField {
  return field;
}

/** The link parameters of a view: only those that differ from their defaults; texts, or the others. */
export function linkParams(app: App, view: View, texts = false): Record<string, string> {
  const params: Record<string, string> = {};
  for (const field of view.link ?? []) {
    if ((field.isText ?? false) !== texts) continue;
    const text = field.print(field.of(app).value);
    if (text !== field.print(field.default)) params[field.key] = text;
  }
  return params;
}

/** Sets a view's state from the parameters of a link; ignores the rest. */
export function takeParams(app: App, view: View, params: Readonly<Record<string, string>>): void {
  for (const field of view.link ?? []) {
    const text = params[field.key];
    const value = text === undefined ? null : field.parse(text);
    if (value !== null) field.of(app).value = value;
    else if (!field.stays) field.of(app).value = field.default;
  }
}
