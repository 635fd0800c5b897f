/** Notices, and how long what they offer is there. */
import { describe, expect, it, vi } from "vitest";
import { loadProgram, notify, reportText } from "../../web/src/app/actions";
import type { App, Fix } from "../../web/src/app/app";
import { startTyping } from "../../web/src/app/typing";
import { words } from "../../web/src/strings";
import { mountApp } from "./mounted";

const FIRST = "HloModule first\nENTRY main {\n  ROOT x = f32[2] parameter(0)\n}\n";
const OTHER = `HloModule quite_another
ENTRY elsewhere {
  a = f32[2] parameter(0)
  ROOT product = f32[2] multiply(a, a)
}
`;

const sinks = { wantsTokens: () => false, tokens: () => undefined, checked: () => undefined };

/** A page that follows what is typed into it. */
function pageWith(program: string): App {
  const { app } = mountApp();
  startTyping(app, sinks);
  loadProgram(app, { text: program });
  return app;
}

async function type(app: App, program: string): Promise<void> {
  reportText(app, 0, program);
  await vi.waitFor(() => expect(app.state.checkedText.value).toBe(program));
}

describe("a notice", () => {
  const act = (): void => undefined;
  const undo = { label: words.app.undo, act };

  it("ends with the text that its Undo is about", async () => {
    const app = pageWith(FIRST);
    notify(app, "Opened first.", "info", undo);
    await type(app, FIRST);
    expect(app.state.notice.value?.text).toBe("Opened first.");
    await type(app, `${FIRST}// mine`);
    expect(app.state.notice.value).toBeNull();
    notify(app, "Opened first.", "info", undo);
    loadProgram(app, { text: OTHER });
    expect(app.state.notice.value).toBeNull();
  });

  it("stays where what it offers is about no text", async () => {
    const app = pageWith(FIRST);
    notify(app, "Kept.", "info", { label: "Compare", act });
    await type(app, `${FIRST}// mine`);
    expect(app.state.notice.value?.text).toBe("Kept.");
  });

  it("of a program among lines of a log offers the program alone", async () => {
    const app = pageWith(FIRST);
    const fixed: Fix[] = [];
    app.editor = {
      fix: (fix: Fix) => fixed.push(fix),
      text: () => app.state.text.value,
      report: () => undefined,
    } as unknown as App["editor"];
    const log = OTHER.replace(/^/gm, "I0000 00:00:00.000000 1 service.cc:1] ");
    await type(app, log);
    const { notice } = app.state;
    expect(notice.value?.text).toContain("Only the program can be read");
    expect(notice.value?.action?.label).toBe("keep the program alone");
    notice.value?.action?.act();
    expect(fixed[0]?.replacement).toContain("HloModule quite_another");
    // Text that holds no program has nothing to keep.
    await type(app, "import jax\nprint(jax.devices())\n");
    expect(notice.value?.action?.label).toBe(words.app.undo);
  });
});
