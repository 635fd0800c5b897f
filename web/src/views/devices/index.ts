/** Which device has which part of an array. */
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import type { View } from "../view";

export const devices: View = {
  id: "devices",
  title: words.devices.title,
  icon: "layout",
  Component: lazy(async () => (await import("./DevicesView")).DevicesView),
  empty: words.devices.empty,
};
