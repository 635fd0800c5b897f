/** What the devices of a run exchange, and which device has which part of an array. */
import { always } from "../../commands/command";
import { words } from "../../strings";
import { lazy } from "../../ui/lazy";
import { linkField, type View, wholeNumber } from "../view";
import { devicesSession } from "./session";

export const devices: View = {
  id: "devices",
  title: words.devices.title,
  icon: "layout",
  Component: lazy(async () => (await import("./DevicesView")).DevicesView),
  empty: words.devices.empty,
  showsRun: always,
  leave: (app) => {
    devicesSession(app).to.value = null;
  },
  link: [
    linkField<number>({
      key: "exchange",
      default: 1,
      parse: (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null),
      print: String,
      of: (app) => devicesSession(app).exchange,
    }),
    linkField<number | "all" | null>({
      key: "to",
      default: null,
      parse: (text) => (text === "all" ? text : wholeNumber(6)(text)),
      print: String,
      of: (app) => devicesSession(app).to,
    }),
    linkField<number | null>({
      key: "moment",
      default: null,
      parse: wholeNumber(15),
      print: String,
      of: (app) => devicesSession(app).moment,
    }),
    linkField<number>({
      key: "holder",
      default: 0,
      parse: wholeNumber(6),
      print: String,
      of: (app) => devicesSession(app).device,
    }),
  ],
};
