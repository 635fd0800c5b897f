/** The values of a run as one .npz file. */
import type { ValueInfo, ValueRef } from "../../../../wasm/engine_api";
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { fileName, saveFile } from "../../app/file_saver";
import { MOST_NPZ, zipArrays } from "../../app/npz";
import type { Results } from "../../app/state";
import { bytes } from "../../ui/format";

const w = {
  making: "Writing the .npz file …",
  tooLarge: (size: number) =>
    `These values are ${bytes(size)}, and an .npz file may have ${bytes(MOST_NPZ)}: save arrays as .npy, one by one.`,
  nothing: "There is no array to save.",
  saved: (name: string, count: number) =>
    `${name}: ${count === 1 ? "1 array" : `${count.toLocaleString("en-US")} arrays`}.`,
};

export interface NamedArray {
  name: string;
  entry: ValueRef["entry"];
  path: number[];
  bytes: number;
}

/** The arrays of a value, each named by where it is in its tuples: "output_0_1". */
function leavesOf(
  name: string,
  entry: ValueRef["entry"],
  value: ValueInfo,
  path: number[] = [],
): NamedArray[] {
  if (value.kind === "array") return [{ name, entry, path, bytes: value.bytes }];
  return value.elements.flatMap((element, i) =>
    leavesOf(`${name}_${i}`, entry, element, [...path, i]),
  );
}

/** The arrays of the results of all devices, or of all values that are held. */
export function arraysOf({ run }: Pick<Results, "run">, what: "results" | "values"): NamedArray[] {
  if (what === "results") {
    const devices = run.devices ?? [{ device: 0, output: run.output }];
    const outputs = devices.flatMap(({ device, output }) => {
      if (!output) return [];
      const name = run.devices ? `device${device}_output` : "output";
      return leavesOf(name, device === 0 ? "output" : (`output@${device}` as const), output);
    });
    const toHost = (run.hostOutputs ?? []).flatMap(({ value }, i) =>
      leavesOf(`host${i}`, `host:${i}`, value),
    );
    return [...outputs, ...toHost];
  }
  return run.trace
    .filter(({ dropped }) => !dropped)
    .flatMap(({ id, name, iterations, device, value }) => {
      const place = [name, ...iterations].join(".");
      return leavesOf(device === undefined ? place : `device${device}_${place}`, id, value);
    });
}

export async function saveValues(
  app: App,
  results: Results,
  what: "results" | "values",
): Promise<void> {
  const arrays = arraysOf(results, what);
  const size = arrays.reduce((sum, array) => sum + array.bytes, 0);
  if (arrays.length === 0 || size > MOST_NPZ) {
    notify(app, arrays.length === 0 ? w.nothing : w.tooLarge(size), "error");
    return;
  }
  notify(app, w.making);
  async function* read(): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
    for (const { name, entry, path } of arrays) {
      const ref = { handle: results.run.handle, entry, path };
      yield { name, bytes: await app.engines.results.call("valueNpy", [ref]) };
    }
  }
  const chunks = await zipArrays(read());
  const name = fileName(`${app.state.check.value?.module ?? ""}.${what}`, ".npz");
  saveFile(name, new Blob(chunks as BlobPart[]));
  notify(app, w.saved(name, arrays.length));
}
