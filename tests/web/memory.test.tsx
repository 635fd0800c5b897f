/** What memory programs take. */
import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { StatusBar } from "../../web/src/page/StatusBar";
import { heightOf, restPath } from "../../web/src/ui/BufferPicture";
import { WINDOW } from "../../web/src/ui/windows";
import { MemoryView } from "../../web/src/views/memory/MemoryView";
import { reportKind } from "../../web/src/views/memory/report_kind";
import { memorySession } from "../../web/src/views/memory/session";
import { areaPath } from "../../web/src/views/memory/Timeline";
import { engine } from "./engine";
import { mountApp } from "./mounted";

const PROGRAM = `HloModule m
ENTRY main {
  p = f32[2,8]{1,0:T(8,128)} parameter(0)
  ROOT c = f32[2,8]{1,0:T(8,128)} copy(p)
}`;

const IN_TWO_MEMORIES = `HloModule m
ENTRY main {
  p = f32[2,8]{1,0:T(8,128)} parameter(0)
  v = f32[2,8]{1,0:T(2,128)S(1)} copy(p)
  ROOT o = f32[2,8]{1,0:T(8,128)} copy(v)
}`;

const IN_STEPS = `HloModule m
ENTRY main {
  p = f32[4] parameter(0)
  big = f32[4,256] broadcast(p), dimensions={0}
  huge = f32[4,512] concatenate(big, big), dimensions={1}
  small = f32[1,4] slice(huge), slice={[0:1], [0:4]}
  ROOT r = f32[1,4] negate(small)
}`;

const REPORT = `RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. \
Used 8.0K of 4.0K hbm. Exceeded hbm capacity by 4.0K.

Total hbm usage >= 8.0K:
    program           8.0K

  Largest program allocations in hbm:

  1. Size: 4.0K
     Operator: op_name="jit(f)/copy" source_file="a.py" source_line=1
     Shape: f32[2,8]{1,0:T(8,128)}
     Unpadded size: 64B
     Extra memory due to padding: 3.9K (64.0x expansion)
     XLA label: %copy.1 = f32[2,8]{1,0:T(8,128)} copy(f32[2,8]{0,1:T(8,128)} %g)
     Allocation type: HLO temp
     ==========================
`;

let app: App;
let root: HTMLElement;

beforeEach(() => {
  ({ app, root } = mountApp());
});

/** The view of a text. */
function show(text: string): void {
  const s = writable(app.state);
  s.text.value = text;
  s.check.value = engine.check(text);
  render(<MemoryView app={app} />, root);
}

describe("the picture of buffers", () => {
  it("has what is only added up on what lies below it at that time, and no higher", () => {
    const buffer = { name: "b", shape: "", paddingBytes: 0, type: "temporary" as const };
    const place = { ...buffer, offset: 0, range: [0, 0] as [number, number] };
    const picture = {
      ok: true,
      buffers: [
        { ...place, begin: 0, end: 0, bytes: 100 },
        { ...place, begin: 1, end: 1, bytes: 50 },
      ],
      rest: [10, 20],
      bytes: 100,
      positions: 2,
      peakBytes: 110,
    } as unknown as Parameters<typeof heightOf>[0];
    expect(heightOf(picture)).toBe(110);
    expect(restPath(picture, 320)).toBe("M0 220.0V210.0H500.0V250.0H1000.0V270.0H500.0V220.0H0.0Z");
  });
});

describe("the memory view", () => {
  it("shows the peak of a program and its buffers", async () => {
    show(PROGRAM);
    await vi.waitFor(() => expect(root.querySelector("tbody tr")).not.toBeNull());
    expect(root.textContent).toContain("8 KiB at the peak");
    expect(root.querySelector("[role=img]")?.getAttribute("aria-label")).toMatch(/\bp\b/);
    // A table has one unit, which its head says; the exact bytes are one hover away.
    expect(root.querySelector("thead")?.textContent).toContain("Size, B");
    expect(root.querySelector("tbody tr")?.textContent).toContain("4,032 (98 %)");
    expect(root.querySelector("tbody td span")?.getAttribute("title")).toBe("4,096 bytes");
    const cells = [...(root.querySelector("tbody tr")?.children ?? [])].map((c) => c.textContent);
    expect(cells.slice(0, 2)).toEqual(["4,096", "64"]);
    const shape = [...root.querySelectorAll<HTMLElement>("tbody button")][1];
    shape?.click();
    expect(app.state.view.value).toBe("layout");
    expect(app.state.typedShape.value).toBe("f32[2,8]{1,0:T(8,128)}");
  });

  it("shows a peak and a timeline of every memory", async () => {
    show(IN_TWO_MEMORIES);
    await vi.waitFor(() => expect(root.querySelectorAll("tbody tr")).toHaveLength(3));
    expect(root.querySelectorAll(".memory-timeline[role=img]")).toHaveLength(2);
    const heads = [...root.querySelectorAll(".memory-head")].map((head) => head.textContent);
    expect(heads[0]).toContain("HBM8 KiB at the peak");
    expect(heads[1]).toContain("VMEM1 KiB at the peak");
    const rows = [...root.querySelectorAll("tbody tr")].map((row) => row.lastElementChild);
    expect(rows.map((row) => row?.textContent?.split("; ")[0])).toEqual(["HBM", "HBM", "VMEM"]);
  });

  it("shows what XLA reported", async () => {
    show(REPORT);
    await vi.waitFor(() => expect(root.querySelector("tbody th")).not.toBeNull());
    expect(root.textContent).toContain("ran out of memory (hbm)");
    expect(root.textContent).toContain("4 KiB too much");
    expect(root.querySelector("tbody th")?.textContent).toBe("copy.1");
    expect(root.querySelector("tbody tr")?.textContent).toContain("jit(f)/copy; a.py:1");
  });

  it("says what would make a buffer smaller, and by how much", async () => {
    show(REPORT.replaceAll("f32[2,8]{1,0:T(8,128)}", "f32[128,2]{1,0:T(8,128)}"));
    await vi.waitFor(() => expect(root.querySelector(".memory-advice")).not.toBeNull());
    expect(root.querySelector(".memory-advice")?.textContent).toMatch(
      /^swap dimensions 0 and 1: saves [\d.]+ KiB \(f32\[128,2\]\{0,1/,
    );
  });

  it("lists what lives at the peak, and at the cursor", async () => {
    show(IN_STEPS);
    const names = () => [...root.querySelectorAll("tbody th")].map((name) => name.textContent);
    await vi.waitFor(() => expect(names().sort()).toEqual(["big", "huge", "p", "r"]));
    expect(root.querySelector("h2")?.textContent).toBe("4 buffers");
    // What lives at the peak, by kind, adds up to it.
    expect(root.textContent).toContain("12.0 KiB at the peak");
    const facts = [...root.querySelectorAll(".facts dd")].map((fact) => fact.textContent);
    expect(facts).toEqual(["16 B", "0 B", "16 B", "12 KiB"]);
    const cursor = root.querySelector<HTMLInputElement>("input[type=range]");
    if (!cursor) throw new Error("no cursor");
    expect([cursor.value, cursor.max]).toEqual(["2", "4"]);
    cursor.value = "4";
    cursor.dispatchEvent(new Event("input", { bubbles: true }));
    await vi.waitFor(() => expect(names().sort()).toEqual(["p", "r", "small"]));
    expect(root.textContent).toContain("at position 4, r");
    expect(cursor.getAttribute("aria-valuetext")).toMatch(/^position 4: \d+ B$/);
    memorySession(app).scope.value = "all";
    await vi.waitFor(() => expect(names()).toHaveLength(5));
  });

  it("sorts by size or by padding", async () => {
    show(`ENTRY e {
      small = f32[2,8]{1,0:T(8,128)} parameter(0)
      ROOT large = f32[8,1024] parameter(1)
    }`);
    const names = () => [...root.querySelectorAll("tbody th")].map((name) => name.textContent);
    await vi.waitFor(() => expect(names()).toEqual(["large", "small"]));
    memorySession(app).order.value = "padding";
    await vi.waitFor(() => expect(names()).toEqual(["small", "large"]));
  });

  it("draws the buffers over time, and says which make up the peak and what would lower it", async () => {
    show(IN_STEPS);
    await vi.waitFor(() =>
      expect(root.querySelectorAll(".buffer-picture .buffer")).toHaveLength(5),
    );
    expect(root.querySelector(".buffer-picture title")?.textContent).toMatch(
      /live from \d+ to \d+/,
    );
    expect(root.querySelector(".memory-explained")?.textContent).toMatch(
      /^\d buffers are \d+(\.\d)?.% of the peak:.*huge/,
    );
    // A line has no room for edges: they would hide it.
    const thin = [...root.querySelectorAll(".buffer.thin title")].map((title) => title.textContent);
    expect(thin.map((text) => text?.split(/[ :,]/)[0]).sort()).toEqual(["p", "r", "small"]);
    const parameter = root.querySelector<SVGElement>(".buffer-parameter");
    expect(parameter?.querySelectorAll("rect")).toHaveLength(1);
    show(PROGRAM);
    await vi.waitFor(() => expect(root.querySelector(".memory-savings")).not.toBeNull());
    expect(root.querySelector(".memory-savings")?.textContent).toContain("donate them");
    expect(root.querySelectorAll(".buffer-picture .padding").length).toBeGreaterThan(0);
  });

  it("names a buffer that is tapped where one part is shown at a time; its line is a step further", async () => {
    const s = writable(app.state);
    s.narrow.value = true;
    s.part.value = "views";
    show(IN_STEPS);
    const pictured = () => [...root.querySelectorAll<SVGGElement>(".buffer-picture .buffer")];
    await vi.waitFor(() => expect(pictured()).toHaveLength(5));
    const huge = pictured().find((buffer) => buffer.textContent?.startsWith("huge"));
    huge?.dispatchEvent(new Event("click", { bubbles: true }));
    const line = () =>
      [...root.querySelectorAll("button")].find(
        (button) => button.textContent === "Go to its line",
      );
    await vi.waitFor(() => expect(line()).toBeDefined());
    expect(app.state.part.value).toBe("views");
    expect(line()?.parentElement?.textContent).toMatch(/^huge .*8 KiB/);
    expect(huge?.classList.contains("chosen")).toBe(true);
    line()?.click();
    expect(app.state.part.value).toBe("program");
    // Where the program is beside it, a click goes there.
    s.narrow.value = false;
    s.part.value = "views";
    huge?.dispatchEvent(new Event("click", { bubbles: true }));
    expect(app.state.part.value).toBe("program");
  });

  it("counts all buffers, and gets them in windows as it is scrolled", async () => {
    const count = 1100;
    const lines = Array.from({ length: count }, (_, i) => `p${i} = f32[] parameter(${i})`);
    show(`ENTRY e { ${lines.join(" ")} ROOT r = f32[] add(p0, p0) }`);
    const rows = () => root.querySelectorAll("tbody tr").length;
    await vi.waitFor(() => expect(rows()).toBe(WINDOW));
    expect(root.querySelector(".detail-tools h2")?.textContent).toBe("1,101 buffers");
    expect(root.querySelector("table")?.getAttribute("aria-rowcount")).toBe("1102");
    const box = root.querySelector(".memory-buffers");
    for (let shown = WINDOW; shown < count; shown += WINDOW) {
      expect(rows()).toBe(shown);
      box?.dispatchEvent(new Event("scroll"));
      await vi.waitFor(() => expect(rows()).toBeGreaterThan(shown));
    }
    expect(rows()).toBe(count + 1);
    box?.dispatchEvent(new Event("scroll"));
    expect(rows()).toBe(count + 1);
  });

  it("says that memory ran out only where the report does", async () => {
    const assignment = `BufferAssignment:
allocation 0: size 64, parameter 0, shape |f32[16]| at ShapeIndex {}:
 value: <1 x @0> (size=64,offset=0): f32[16]{0}
`;
    const usage = "Allocations sorted by size:\n";
    expect(reportKind(assignment, -1)).toBe("assignment");
    expect(reportKind(usage, -1)).toBe("usage");
    expect(reportKind(REPORT, 4096)).toBe("ranOut");
    const said = "Out of memory while trying to allocate 4294967296 bytes.\n";
    expect(reportKind(`${said}BufferAssignment OOM Debugging.\n${assignment}`, -1)).toBe("ranOut");
    show(assignment);
    const head = () => root.querySelector(".memory-head")?.textContent;
    await vi.waitFor(() => expect(head()).toBe("Buffer assignment (device)"));
    show(REPORT);
    await vi.waitFor(() => expect(head()).toContain("XLA ran out of memory (hbm)"));
    render(<StatusBar app={app} />, root);
    expect(root.textContent).toContain("Recognised as a memory report of XLA");
  });

  it("draws memory as steps", () => {
    expect(areaPath([], 0)).toBe("");
    expect(areaPath([50, 100], 100)).toBe("M0 100V52.00H500.00V4.00H1000.00V100Z");
  });
});
