/** What memory programs take. */
import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { inOrder, MemoryView } from "../../web/src/views/memory/MemoryView";
import { memorySession } from "../../web/src/views/memory/session";
import { areaPath } from "../../web/src/views/memory/Timeline";
import { FakeEngine } from "./fake_engine";
import { mountApp } from "./mounted";

let app: App;
let root: HTMLElement;

beforeEach(() => {
  ({ app, root } = mountApp());
  writable(app.state).text.value = "HloModule m";
});

const check = (kind: string) => ({ ...new FakeEngine().check("x = f32[2] add(x, x)"), kind });

describe("the memory view", () => {
  it("shows the peak of a program and its buffers", async () => {
    writable(app.state).check.value = check("hlo");
    render(<MemoryView app={app} />, root);
    await vi.waitFor(() => expect(root.textContent).toContain("4 KiB at the peak"));
    expect(root.querySelector("[role=img]")?.getAttribute("aria-label")).toContain("%p");
    expect(root.querySelector("tbody tr")?.textContent).toContain("3.9 KiB (98 %)");
    const cells = [...(root.querySelector("tbody tr")?.children ?? [])].map((c) => c.textContent);
    expect(cells.slice(0, 2)).toEqual(["4 KiB", "64 B"]);
    const shape = [...root.querySelectorAll<HTMLElement>("tbody button")][1];
    shape?.click();
    expect(app.state.view.value).toBe("layout");
    expect(app.state.typedShape.value).toBe("f32[2,8]{1,0:T(8,128)}");
  });

  it("shows a peak and a timeline of every memory", async () => {
    writable(app.state).check.value = check("hlo");
    const one = new FakeEngine().programMemory();
    const [space] = one.spaces;
    const [buffer] = one.buffers;
    if (!space || !buffer) throw new Error("no memory");
    const vmem = { ...space, space: 1, name: "VMEM", doc: "fast memory", peakBytes: 512 };
    const two = { ...one, spaces: [space, vmem], buffers: [buffer, { ...buffer, space: "VMEM" }] };
    app.engines.typing.call = (() => Promise.resolve(two)) as typeof app.engines.typing.call;
    render(<MemoryView app={app} />, root);
    await vi.waitFor(() => expect(root.querySelectorAll("[role=img]")).toHaveLength(2));
    const heads = [...root.querySelectorAll(".memory-head")].map((head) => head.textContent);
    expect(heads[0]).toContain("HBM4 KiB at the peak");
    expect(heads[1]).toContain("VMEM512 B at the peak");
    expect(root.querySelectorAll("tbody tr")[1]?.textContent).toContain("VMEM; ");
  });

  it("shows what XLA reported", async () => {
    writable(app.state).check.value = check("memory-report");
    render(<MemoryView app={app} />, root);
    await vi.waitFor(() => expect(root.textContent).toContain("ran out of memory (hbm)"));
    expect(root.textContent).toContain("4 KiB too much");
    expect(root.textContent).toContain("jit(f)/copy");
  });

  it("sorts by size or by padding", () => {
    const buffer = new FakeEngine().programMemory().buffers[0];
    if (!buffer) throw new Error("no buffer");
    const small = { ...buffer, name: "small", bytes: 10, paddingBytes: 9 };
    const large = { ...buffer, name: "large", bytes: 20, paddingBytes: 1 };
    expect(inOrder([small, large], "size").map(({ name }) => name)).toEqual(["large", "small"]);
    expect(inOrder([large, small], "padding").map(({ name }) => name)).toEqual(["small", "large"]);
    expect(memorySession(app).order.value).toBe("size");
  });

  it("draws memory as steps", () => {
    expect(areaPath([], 0)).toBe("");
    expect(areaPath([50, 100], 100)).toBe("M0 100V52.00H500.00V4.00H1000.00V100Z");
  });
});
