/** What memory a program takes, and what XLA says where there was too little. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import type { View } from "../view";
import "./memory.css";

export const memory: View = {
  id: "memory",
  title: words.memory.title,
  icon: "memory",
  Component: lazy(async () => (await import("./MemoryView")).MemoryView),
  empty: words.memory.empty,
  opensFor: ["memory-report"],
};
