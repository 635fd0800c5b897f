/** What the page shows when it is opened, and on Back and Forward: the last that was asked for. */
import { expect, it } from "vitest";
import type { App } from "../../web/src/app/app";
import { followHistory, openPage } from "../../web/src/app/opening";
import { DEFAULT_SETTINGS } from "../../web/src/app/settings";
import { writable } from "../../web/src/app/state";
import type { Taken } from "../../web/src/app/work";
import { makeApp } from "./mounted";

/** A work that is kept; with `tabs` it takes longer to show. */
function taken(id: string, tabs: boolean): Taken {
  const tab = { name: "a.txt", title: "a", text: null, cursor: 0, inputs: [] };
  return {
    work: {
      ...{ id, savedAt: 0, open: true, address: "", text: `text of ${id}`, cursor: 0, inputs: [] },
      ...{ settings: DEFAULT_SETTINGS, example: "", ran: false, view: { params: {} } },
      ...(tabs ? { fileTabs: { tabs: [tab], selected: 0 } } : {}),
    },
    files: new Map(),
    copied: false,
  };
}

it("a work that comes late does not take the place of one that was opened after it", async () => {
  const app: App = makeApp().app;
  const shown: Promise<void>[] = [];
  app.keeper = {
    find: async (of) =>
      typeof of === "object" && "id" in of ? taken(of.id, of.id === "slow") : null,
    goOn() {},
    leave: async () => undefined,
    leaveFor() {},
    begin() {},
    whileShowing(work) {
      shown.push(work);
      return work;
    },
  };
  const stop = followHistory(app);
  for (const work of ["slow", "fast"]) {
    window.history.replaceState({ work }, "");
    window.dispatchEvent(new PopStateEvent("popstate"));
    await new Promise((done) => setTimeout(done));
  }
  expect(shown.length).toBe(2);
  await Promise.all(shown);
  expect(app.state.text.value).toBe("text of fast");
  stop();
  window.history.replaceState(null, "");
});

it("what is written while the last work is being read is kept, under a name of its own", async () => {
  const app: App = makeApp().app;
  const names: (string | undefined)[] = [];
  app.keeper = {
    async find() {
      const last = taken("last", true);
      // Which example it is from is asked after it has been found, while it is being read.
      Object.defineProperty(last.work, "example", {
        get() {
          writable(app.state).text.value = "written";
          return "";
        },
      });
      return last;
    },
    goOn: (id) => names.push(id),
    leave: async () => undefined,
    leaveFor() {},
    begin() {},
    whileShowing: (work) => work,
  };
  window.history.replaceState({ work: "last" }, "");
  await openPage(app);
  expect(app.state.text.value).toBe("written");
  expect(names).toEqual([undefined]);
  window.history.replaceState(null, "");
});
