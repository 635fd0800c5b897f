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
