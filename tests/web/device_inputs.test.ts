import { describe, expect, it } from "vitest";
import {
  devicesOf,
  engineInputs,
  gridOf,
  partsOf,
  specOfDevice,
  withDevice,
  withShared,
} from "../../web/src/app/device_inputs";
import { DEFAULT_SETTINGS } from "../../web/src/app/settings";

const at = (replica: number, partition: number) => ({ replica, partition });

describe("inputs of single devices", () => {
  it("stand behind what all devices get, and can be set and taken back", () => {
    const one = withDevice("iota", at(0, 1), "zero");
    expect(one).toBe("iota; 0.1: zero");
    const two = withDevice(one, at(1, 0), "{1, 2}");
    expect(specOfDevice(two, at(1, 0))).toBe("{1, 2}");
    expect(specOfDevice(two, at(0, 0))).toBe("");
    expect(withShared(two, "normal")).toBe("normal; 0.1: zero; 1.0: {1, 2}");
    expect(withDevice(withDevice(two, at(0, 1), ""), at(1, 0), " ")).toBe("iota");
    expect(withDevice("", at(0, 0), "a;1.1: b")).toBe("; 0.0: a1.1: b");
  });

  it("may be for all replicas or partitions, and the last one counts", () => {
    const text = "; *.1: zero; 0.*: iota";
    expect(specOfDevice(text, at(1, 1))).toBe("zero");
    expect(specOfDevice(text, at(0, 1))).toBe("iota");
    expect(specOfDevice(text, at(1, 0))).toBe("");
  });

  it("reach the engine where the run has the device", () => {
    const grid = { replicas: 2, partitions: 1 };
    expect(engineInputs(["iota; 1.0: {3}; 2.0: {4}; *.0: zero", "5"], grid)).toEqual({
      inputs: ["iota", "5"],
      deviceInputs: [
        { parameter: 0, replica: 1, partition: 0, value: "{3}" },
        { parameter: 0, partition: 0, value: "zero" },
      ],
    });
  });

  it("what is no such part stays what all get", () => {
    expect(partsOf("a; b")).toEqual({ shared: "a; b", own: [] });
    expect(partsOf("(1.5: 2); 0.x: 1").own).toEqual([]);
  });

  it("the devices are those of the settings, or else of the header", () => {
    const check = { replicaCount: 2, numPartitions: 3 } as Parameters<typeof gridOf>[0];
    expect(gridOf(check, DEFAULT_SETTINGS)).toEqual({ replicas: 2, partitions: 3 });
    expect(gridOf(check, { ...DEFAULT_SETTINGS, replicas: 1 })).toEqual({
      replicas: 1,
      partitions: 3,
    });
    expect(devicesOf({ replicas: 2, partitions: 2 }, 3)).toEqual([at(0, 0), at(0, 1), at(1, 0)]);
  });
});
