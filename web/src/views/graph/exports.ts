/** Exports of the graph. The code that makes pictures is fetched on first use. */
import type { App } from "../../app/app";
import { words } from "../../strings";
import type { GraphExportKind } from "./kinds";
import type { GraphSession } from "./session";

export interface GraphExport {
  id: string;
  label: string;
  kind: GraphExportKind;
}

const w = words.graph.exports;
export const graphExports: readonly GraphExport[] = [
  { id: "graph-export-svg", label: w.svg, kind: "svg" },
  { id: "graph-export-png", label: w.png, kind: "png" },
  { id: "graph-export-dot", label: w.dot, kind: "dot" },
];

export async function exportGraph(
  app: App,
  session: GraphSession,
  { kind }: GraphExport,
): Promise<void> {
  const shown = session.shown.value;
  if (!shown) return;
  const { savers } = await import("./saving");
  await savers[kind](app, session, shown);
}
