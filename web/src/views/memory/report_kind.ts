/** What a memory report of XLA is of: a program that did not fit, or any program of a dump. Pure. */
import type { ReportKind } from "./words";

/** What XLA, and who calls it, say where memory was too small. */
const RAN_OUT = /\b(?:out of memory|OOM|RESOURCE_EXHAUSTED|exceeded \w+ capacity)\b/i;

/** `exceeded`: by how many bytes, as far as the report says so. */
export function reportKind(text: string, exceeded: number): ReportKind {
  if (exceeded > 0 || RAN_OUT.test(text)) return "ranOut";
  return text.includes("BufferAssignment:") ? "assignment" : "usage";
}
