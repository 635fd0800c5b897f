// `hlo devices` and `hlo sharding`: what devices give and get, and which parts they have.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const hlo = (args, input) => {
  const run = spawnSync(`${root}build/native/hlo`, args, { input, encoding: "utf8" });
  return { status: run.status, out: run.stdout, err: run.stderr };
};

const ADD = "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }\n";
const SUM = "all-reduce(x), replica_groups={{0,1}}, to_apply=add";

test("devices: each collective with its devices, what each gives and gets", () => {
  const program = `HloModule m, replica_count=2\n${ADD}ENTRY e { x = f32[2] parameter(0)  ROOT s = f32[2] ${SUM} }`;
  const given = ["devices", "-", "--input", "0.0:0={1,2}", "--input", "1.0:0={10,20}"];
  const { status, out } = hlo(given, program);
  assert.equal(status, 0);
  assert.match(out, /s \(all-reduce\), time 1, devices \{0,1\}/);
  assert.match(out, /device 1 gives \{10, 20\}, gets \{11, 22\}/);
  const json = JSON.parse(hlo([...given, "--json"], program).out);
  assert.deepEqual(json.exchanges[0].members, [0, 1]);
  assert.deepEqual(json.exchanges[0].parts[0], { device: 0, given: ["{1, 2}"], got: "{11, 22}" });
});

test("devices: at a deadlock, who waits for whom", () => {
  const program = `HloModule m, replica_count=2\n${ADD}t { x = f32[2] parameter(0)  ROOT r = f32[2] ${SUM} }
f { x = f32[2] parameter(0)  ROOT n = f32[2] negate(x) }
ENTRY e { x = f32[2] parameter(0)  r = u32[] replica-id()  z = u32[] constant(0)  c = pred[] compare(r, z), direction=EQ
  ROOT k = f32[2] conditional(c, x, x), true_computation=t, false_computation=f }`;
  const { status, err } = hlo(["devices", "-"], program);
  assert.equal(status, 1);
  assert.match(err, /device 0 .* waits in r .*missing: device 1 \(has ended\)/);
});

test("sharding: the pieces of an instruction; a name without a sharding is a fault", () => {
  const program =
    "HloModule m, num_partitions=2\nENTRY e { ROOT x = f32[5,2] parameter(0), sharding={devices=[2,1]<=[2]} }";
  assert.match(
    hlo(["sharding", "-", "x"], program).out,
    /device 1: \[3:5, 0:2\], padded by \[1, 0\]/,
  );
  const json = JSON.parse(hlo(["sharding", "-", "x", "--json"], program).out);
  assert.deepEqual(json.focus.leaves[0].devices[1].limit, [5, 2]);
  assert.equal(hlo(["sharding", "-", "y"], program).status, 1);
});
