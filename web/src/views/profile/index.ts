/** Where the time of the last run went, as it was measured. */
import { always } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import type { View } from "../view";

export const profile: View = {
  id: "profile",
  title: words.profile.title,
  icon: "profile",
  Component: lazy(async () => (await import("./ProfileView")).ProfileView),
  empty: words.profile.empty,
  showsRun: always,
};
