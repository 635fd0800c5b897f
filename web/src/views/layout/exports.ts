/**
 * Exports of a layout: its pictures, and the map from elements to addresses. The code that makes
 * them is fetched on first use.
 */
import type { App } from "../../app/app";
import { words } from "../../strings";
import { comparing } from "./compare";
import { isCountable } from "./model";
import type { ExportKind } from "./saving";
import type { LayoutSessions } from "./sessions";

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

export function canExport({ session }: LayoutSessions): boolean {
  const info = session.info.value;
  return info?.ok === true && info.physicalElements > 0 && isCountable(info);
}

export async function exportLayout(
  app: App,
  sessions: LayoutSessions,
  { kind }: LayoutExport,
): Promise<void> {
  const { session, compared, film } = sessions;
  const info = session.info.value;
  if (!info || !canExport(sessions)) return;
  const { savers } = await import("./saving");
  const other = comparing(app, session, compared).value ? compared.info.value : null;
  await savers[kind](app, {
    session,
    info,
    compared: other && { session: compared, info: other },
    film,
  });
}
