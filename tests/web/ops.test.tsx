/** The reference of operations. */
import { render } from "preact";
import { expect, it, vi } from "vitest";
import { OpsView } from "../../web/src/views/ops/OpsView";
import { opsSession } from "../../web/src/views/ops/session";
import { mountApp } from "./mounted";

it("names the attributes of an operation as a program has them", async () => {
  const { app, root } = mountApp();
  opsSession(app).filter.value = "gather";
  render(<OpsView app={app} />, root);
  const gather = await vi.waitFor(() => {
    const all = [...root.querySelectorAll("details")];
    const found = all.find((op) => op.querySelector("code")?.textContent === "gather");
    if (!found) throw new Error("no gather");
    return found;
  });
  gather.open = true;
  gather.dispatchEvent(new Event("toggle"));
  await vi.waitFor(() => expect(gather.querySelector("li")).not.toBeNull());
  const shown = [...gather.querySelectorAll("li code")].map((code) => code.textContent);
  expect(shown).toContain("offset_dims={i,...}");
  expect(shown).toContain("collapsed_slice_dims={i,...}");
  expect(new Set(shown).size).toBe(shown.length);
});

it("is one stop of Tab: the arrows go from one operation to another", async () => {
  const { app, root } = mountApp();
  document.body.append(root);
  render(<OpsView app={app} />, root);
  const all = await vi.waitFor(() => {
    const found = [...root.querySelectorAll("summary")];
    expect(found.length).toBeGreaterThan(100);
    return found;
  });
  const stops = () => all.filter(({ tabIndex }) => tabIndex === 0);
  expect(stops()).toEqual([all[0]]);
  all[0]?.focus();
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press("ArrowDown");
  await vi.waitFor(() => expect(stops()).toEqual([all[1]]));
  expect(document.activeElement).toBe(all[1]);
  press("End");
  expect(document.activeElement).toBe(all.at(-1));
  press("ArrowDown");
  expect(document.activeElement).toBe(all.at(-1));
  root.remove();
});
