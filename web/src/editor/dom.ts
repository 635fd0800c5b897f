/** Small parts that the editor's pieces share. */
import type { TextRange } from "../../../wasm/engine_api";

export function clip(range: TextRange, length: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(range[0], length));
  return { from, to: Math.max(from, Math.min(range[1], length)) };
}

export function element(tag: string, className: string, text: string): HTMLElement {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}
