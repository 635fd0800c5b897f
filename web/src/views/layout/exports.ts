/**
 * What can be taken away of a layout: its pictures, and the map from elements to places. How they
 * are made is fetched with the first of them.
 */
import type { App } from "../../app/app";
import { words } from "../../strings";
import type { LayoutSession } from "./session";

export type ExportKind = "svg" | "png" | "csv";

export interface LayoutExport {
  id: string;
  label: string;
  kind: ExportKind;
}

const w = words.layout.exports;
export const layoutExports: readonly LayoutExport[] = [
  { id: "export-svg", label: w.svg, kind: "svg" },
  { id: "export-png", label: w.png, kind: "png" },
  { id: "export-csv", label: w.csv, kind: "csv" },
];

export async function exportLayout(
  app: App,
  session: LayoutSession,
  { kind }: LayoutExport,
): Promise<void> {
  const info = session.info.value;
  if (!info?.ok) return;
  const { savers } = await import("./saving");
  await savers[kind](app, session, info);
}
