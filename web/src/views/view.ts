/** What a view is. A view owns everything of it: its folder exports one of these, and no more. */
import type { JSX } from "preact";
import type { App, ViewTraits } from "../app/app";
import type { Command } from "../commands/command";
import type { LinePointer } from "../editor/linked";
import type { IconName } from "../ui/Icon";

/** One parameter that a link has of a view. Readable: people write links by hand. */
export interface LinkField<T = unknown> {
  key: string;
  /** Links do not say it. */
  default: T;
  /** What a text says; null for nothing that is known. */
  parse(text: string): T | null;
  print(value: T): string;
  /** Where the value is kept: most often a signal of the view's session. */
  of(app: App): { value: T };
  /** A taste rather than a place: a link that does not say it leaves it as it is. */
  stays?: boolean;
}

export interface View extends ViewTraits {
  readonly title: string;
  /** What its tab says, where that depends on the program. */
  tab?(app: App): string;
  readonly icon: IconName;
  Component(props: { app: App }): JSX.Element | null;
  /** The sentence that it shows when there is nothing to show. */
  readonly empty: string;
  /** What it does also while it is not shown: begins with the page. */
  start?(app: App): () => void;
  readonly link?: readonly LinkField[];
  readonly commands?: readonly Command[];
  /** Hears which line of the program is pointed at. */
  pointer?(app: App): LinePointer;
}

/** A field among those of other types. */
export function linkField<T>(field: LinkField<T>): LinkField {
  return field;
}

/** What a link says of a view: only what differs from its defaults. */
export function linkParams(app: App, view: View): Record<string, string> {
  const params: Record<string, string> = {};
  for (const field of view.link ?? []) {
    const text = field.print(field.of(app).value);
    if (text !== field.print(field.default)) params[field.key] = text;
  }
  return params;
}

/** Takes what a view knows from the parameters of a link; ignores the rest. */
export function takeParams(app: App, view: View, params: Readonly<Record<string, string>>): void {
  for (const field of view.link ?? []) {
    const text = params[field.key];
    const value = text === undefined ? null : field.parse(text);
    if (value !== null) field.of(app).value = value;
    else if (!field.stays) field.of(app).value = field.default;
  }
}
