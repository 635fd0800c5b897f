/** What memory a program takes, and what XLA reports of it. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View } from "../view";
import { memorySession, type Order, type Scope } from "./session";

export const memory: View = {
  id: "memory",
  title: words.memory.title,
  icon: "memory",
  Component: lazy(async () => (await import("./MemoryView")).MemoryView),
  empty: words.memory.empty,
  leave: (app) => {
    const { scope } = memorySession(app);
    if (typeof scope.peek() === "number") scope.value = "peak";
  },
  opensFor: ["memory-report"],
  link: [
    linkField<Order>({
      key: "by",
      default: "size",
      parse: (text) => (text === "padding" ? text : null),
      print: String,
      of: (app) => memorySession(app).order,
    }),
    linkField<Scope>({
      key: "live",
      default: "peak",
      parse: (text) => (text === "all" ? text : /^\d{1,9}$/.test(text) ? Number(text) : null),
      print: String,
      of: (app) => memorySession(app).scope,
    }),
  ],
};
