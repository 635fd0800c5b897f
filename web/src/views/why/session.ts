/** What the Why view was asked. */
import { type Signal, signal } from "@preact/signals";
import type { FirstKind } from "../../../../wasm/engine_api";
import { perPage } from "../../app/app";

/** What is searched for in the run; null: the selected element is followed. */
export const whySession = perPage((): { first: Signal<FirstKind | null> } => ({
  first: signal(null),
}));
