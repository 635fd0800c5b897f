/** The views, in the order of their tabs. Adding one is a folder and a line here. */
import { cost } from "./cost";
import { debug } from "./debug";
import { devices } from "./devices";
import { dialect } from "./dialect";
import { diff } from "./diff";
import { graph } from "./graph";
import { layout } from "./layout";
import { memory } from "./memory";
import { ops } from "./ops";
import { outline } from "./outline";
import { precision } from "./precision";
import { profile } from "./profile";
import { values } from "./values";
import type { View } from "./view";
import { why } from "./why";

export const views: readonly View[] = [
  values,
  layout,
  outline,
  graph,
  ops,
  dialect,
  memory,
  cost,
  profile,
  precision,
  debug,
  diff,
  why,
  devices,
];

export function findView(id: string): View | null {
  return views.find((view) => view.id === id) ?? null;
}
