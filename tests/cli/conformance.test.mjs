// The conformance runner on cases of any form: clear cases are judged, unclear ones fail
// individually, and later cases still run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";

const ADD = `HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  q = f32[2] parameter(1)
  ROOT s = f32[2] add(p, q)
}
`;
const PAIR = `HloModule m
ENTRY e {
  p = f32[2] parameter(0)
  n = f32[2] negate(p)
  ROOT t = (f32[2], f32[2]) tuple(p, n)
}
`;
const DEVICE = `HloModule m
ENTRY e {
  r = u32[] replica-id()
  p = u32[] partition-id()
  ten = u32[] constant(10)
  m = u32[] multiply(r, ten)
  ROOT s = u32[] add(m, p)
}
`;
const DEVICE_PAIR = `HloModule m
ENTRY e {
  r = u32[] replica-id()
  p = u32[] partition-id()
  ROOT t = (u32[], u32[]) tuple(r, p)
}
`;

describe("conformance", () => {
  let corpus;
  before(() => {
    corpus = mkdtempSync(join(tmpdir(), "conformance-"));
  });
  after(() => rmSync(corpus, { recursive: true }));

  const write = (path, content) => {
    mkdirSync(dirname(join(corpus, path)), { recursive: true });
    writeFileSync(
      join(corpus, path),
      typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  };
  // What is said of every case that does not hold, by its name; the status is that of a failure.
  const failures = (...suites) => {
    const result = spawnSync(
      "build/native/conformance",
      [corpus, ...suites.flatMap((suite) => ["--suite", suite])],
      { encoding: "utf8" },
    );
    assert.equal(result.signal, null, result.stderr);
    const found = {};
    for (const line of result.stdout.split("\n")) {
      const match = /^FAILED (.*?): (.*)$/.exec(line);
      if (match) found[match[1]] = match[2];
    }
    assert.equal(result.status, Object.keys(found).length > 0 ? 1 : 0, result.stdout);
    return { found, text: result.stdout };
  };

  it("judges a case in every form whose meaning is clear", () => {
    const inputs = ["f32[2] {1, 2}", "f32[2] {3, 4}"];
    const devices = { replica_count: 2, num_partitions: 2 };
    const clear = {
      text: { hlo: ADD, inputs, expected: "f32[2] {4, 6}" },
      one_of_a_list: { hlo: ADD, inputs, expected: ["f32[2] {4, 6}"] },
      numbers: { hlo: ADD, inputs, expected: [4, 6] },
      tuple_text: {
        hlo: PAIR,
        inputs: inputs.slice(0, 1),
        expected: "(f32[2] {1, 2}, f32[2] {-1, -2})",
      },
      tuple_list: {
        hlo: PAIR,
        inputs: inputs.slice(0, 1),
        expected: ["f32[2] {1, 2}", "f32[2] {-1, -2}"],
      },
      null_fields: {
        hlo: ADD,
        inputs,
        expected: "f32[2] {4, 6}",
        tolerance: null,
        replica_count: null,
      },
      counts_as_text: {
        hlo: DEVICE,
        replica_count: "2",
        expected_per_device: ["u32[] 0", "u32[] 10"],
      },
      by_key: { hlo: DEVICE, ...devices, expected_per_device: { 0: "u32[] 0", 3: "u32[] 11" } },
      by_pair: { hlo: DEVICE, ...devices, expected_per_device: { "1,0": "u32[] 10" } },
      by_device: {
        hlo: DEVICE,
        ...devices,
        expected_per_device: ["u32[] 0", "u32[] 1", "u32[] 10", "u32[] 11"],
      },
      by_replica: {
        hlo: DEVICE,
        ...devices,
        expected_per_device: [
          ["u32[] 0", "u32[] 1"],
          ["u32[] 10", "u32[] 11"],
        ],
      },
      tuples_by_replica: {
        hlo: DEVICE_PAIR,
        ...devices,
        expected_per_device: [
          [["u32[] 0", "u32[] 0"], "(u32[] 0, u32[] 1)"],
          [
            ["u32[] 1", "u32[] 0"],
            ["u32[] 1", "u32[] 1"],
          ],
        ],
      },
      inputs_per_device: {
        hlo: ADD,
        replica_count: 2,
        inputs: [inputs, ["f32[2] {0, 0}", "f32[2] {5, 5}"]],
        expected_per_device: ["f32[2] {4, 6}", "f32[2] {5, 5}"],
      },
    };
    for (const [name, test] of Object.entries(clear)) write(`exec/${name}.json`, test);
    const { found, text } = failures("exec");
    assert.deepEqual(found, {}, text);
    // With another last number in what is expected, each of them fails.
    const spoilt = (value) => {
      if (typeof value === "number") return 7;
      if (typeof value === "string") return value.replace(/\d+(?=\D*$)/, "7");
      if (Array.isArray(value)) return value.map(spoilt);
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoilt(one)]));
    };
    for (const [name, test] of Object.entries(clear)) {
      const field = "expected" in test ? "expected" : "expected_per_device";
      write(`exec/${name}.json`, { ...test, [field]: spoilt(test[field]) });
    }
    const names = Object.keys(clear).map((name) => `exec/${name}`);
    assert.deepEqual(Object.keys(failures("exec").found).sort(), names.sort());
  });

  it("knows the custom calls that XLA's tests register", () => {
    const calls = (operands, result, target, config) => `HloModule m
ENTRY e {
  a = f32[2,2] constant({{1, 2}, {3, 4}})
  n = f32[] constant(42)
  t = ((f32[], s32[]), f32[]) constant(((7, 8), 9))
  ROOT r = ${result} custom-call(${operands}), custom_call_target="${target}", api_version=API_VERSION_TYPED_FFI, backend_config="${config}"
}
`;
    const cases = {
      added: [calls("n", "f32[]", "__xla_test$$FfiR0F32Add2", ""), "f32[] 44"],
      configured: [calls("n", "f32[]", "__xla_test$$FfiR0F32AddN", "{n = 3.0 : f32}"), "f32[] 45"],
      reshaped: [
        calls("a", "f32[1,2,2]", "__xla_test$$FfiF32Add1ToValues", ""),
        "f32[1,2,2] {{{2, 3}, {4, 5}}}",
      ],
      summed: [calls("a", "f32[]", "__xla_test$$FfiF32ReduceSum", ""), "f32[] 10"],
      multiplied: [
        calls("a", "f32[]", "__xla_test$$FfiF32Accumulate", "{binary_op = 1 : i8, init = 1 : i32}"),
        "f32[] 24",
      ],
      rotated: [
        calls("t", "(s32[], (f32[], f32[]))", "__xla_test$$FfiTupleRotate", ""),
        "(s32[] 8, (f32[] 9, f32[] 7))",
      ],
      counted: [calls("", "f32[]", "__xla_test$$ffi_execution_state", ""), "f32[] 43"],
    };
    for (const [name, [hlo, expected]] of Object.entries(cases)) {
      write(`exec_auto/${name}.json`, { hlo, expected });
    }
    const { found, text } = failures("exec_auto");
    assert.deepEqual(found, {}, text);
    assert.match(text, /exec_auto: 7 of 7/);
  });

  it("says of a wrong value where it is", () => {
    write("exec_auto/list.json", {
      hlo: PAIR,
      inputs: ["f32[2] {1, 2}"],
      expected: ["f32[2] {1, 2}", "f32[2] {-1, 2}"],
    });
    write("exec_auto/device.json", {
      hlo: DEVICE,
      replica_count: 2,
      expected_per_device: [["u32[] 0"], ["u32[] 9"]],
    });
    write("exec_auto/many.json", {
      hlo: DEVICE,
      replica_count: 2,
      expected_per_device: { 7: "u32[] 0" },
    });
    const { found } = failures("exec_auto");
    assert.match(found["exec_auto/list"], /^element 1: /);
    assert.match(found["exec_auto/device"], /^device 1: /);
    assert.match(found["exec_auto/many"], /no device 7/);
  });

  it("reports a malformed case as failed and runs the others", () => {
    const bad = {
      empty: "",
      no_json: "{",
      no_object: "[1, 2]",
      not_utf8: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      not_utf8_text: Buffer.concat([
        Buffer.from('{"hlo": "'),
        Buffer.from([0xff, 0xc3, 0x28]),
        Buffer.from('", "expected": "f32[] 0"}'),
      ]),
      nothing_expected: { hlo: ADD },
      no_program: { expected: "f32[] 0" },
      program_is_number: { hlo: 3, expected: "f32[] 0" },
      inputs_are_number: { hlo: ADD, inputs: 3, expected: "f32[2] {0, 0}" },
      inputs_are_objects: { hlo: ADD, inputs: [{}, {}], expected: "f32[2] {0, 0}" },
      expected_is_object: { hlo: ADD, inputs: ["zero", "zero"], expected: { a: 1 } },
      expected_is_deep: { hlo: ADD, inputs: ["zero", "zero"], expected: [[[["f32[2] {0, 0}"]]]] },
      tolerance_is_text: {
        hlo: ADD,
        inputs: ["zero", "zero"],
        expected: "f32[2] {0, 0}",
        tolerance: "1e-5",
      },
      devices_are_text: { hlo: DEVICE, expected_per_device: "u32[] 0" },
      device_is_word: { hlo: DEVICE, expected_per_device: { one: "u32[] 0" } },
      device_is_negative: { hlo: DEVICE, expected_per_device: { "-1": "u32[] 0" } },
      count_is_word: { hlo: DEVICE, replica_count: "two", expected_per_device: ["u32[] 0"] },
      count_is_huge: { hlo: DEVICE, replica_count: 1e18, expected_per_device: ["u32[] 0"] },
      count_is_list: { hlo: DEVICE, replica_count: [2], expected_per_device: ["u32[] 0"] },
      nan_positions: {
        hlo: ADD,
        inputs: ["zero", "zero"],
        expected: "f32[2] {0, 0}",
        nan_positions: ["x"],
      },
    };
    rmSync(join(corpus, "exec"), { recursive: true, force: true });
    for (const [name, test] of Object.entries(bad)) write(`exec/${name}.json`, test);
    write("exec/zz_good.json", { hlo: ADD, inputs: ["zero", "zero"], expected: "f32[2] {0, 0}" });
    const { found, text } = failures("exec");
    assert.deepEqual(
      Object.keys(found).sort(),
      Object.keys(bad)
        .map((name) => `exec/${name}`)
        .sort(),
      text,
    );
    assert.match(text, /exec: 1 of 21/);
  });

  it("reports an index that cannot be read, and entries of any form", () => {
    write("hlo/index.json", Buffer.from([0xff, 0x5b]));
    write("stablehlo/index.json", "{");
    write("layout/golden.json", [1]);
    const unread = failures(
      "hlo/parser_ok",
      "hlo/embedded",
      "stablehlo/interpret",
      "stablehlo/printed",
      "layout",
    );
    assert.ok(Object.keys(unread.found).length >= 5, unread.text);

    write("hlo/index.json", [
      3,
      null,
      {},
      { file: 7 },
      { file: "hlo/parser_ok/a.hlo", check: [1] },
    ]);
    write("stablehlo/index.json", [
      3,
      { file: "interpret/none.mlir", disabled: [], interp: true, dynamic: false },
      { file: {} },
    ]);
    write("layout/golden.json", {
      xla: [
        3,
        { text: "f32[2,3]{1,0}" },
        { text: 5 },
        {
          text: "f32[2,3]{1,0}",
          physical_dims: [2, 3],
          physical_elements: 6,
          physical_bytes: 24,
          indices: [
            { logical: [0, 0, 0], linear: 0 },
            { logical: [9, 9], linear: -5 },
          ],
        },
      ],
      legacy_padding: [{ element_type: 1 }],
      morello: [{ layout: "row major", shape: "x" }],
    });
    const odd = failures(
      "hlo/parser_ok",
      "hlo/embedded",
      "stablehlo/interpret",
      "stablehlo/printed",
      "layout",
    );
    assert.ok(Object.keys(odd.found).length >= 5, odd.text);
  });
});
