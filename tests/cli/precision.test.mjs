// `hlo precision`: what the width of its floats costs a program, and where two programs part.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";

const NARROW = `HloModule m
ENTRY e {
  a = f32[] constant(1023.7)
  b = f32[] constant(1020.1)
  x = bf16[] convert(a)
  y = bf16[] convert(b)
  d = bf16[] subtract(x, y)
  ROOT r = bf16[] multiply(d, d)
}
`;

describe("hlo precision", () => {
  const folder = mkdtempSync(join(tmpdir(), "hlo-precision-"));
  const file = (base, text) => {
    const path = join(folder, base);
    writeFileSync(path, text);
    return path;
  };
  const hlo = (args) => spawnSync("build/native/hlo", ["precision", ...args], { encoding: "utf8" });
  const narrow = file("narrow.hlo", NARROW);

  it("says how large the error is, and blames what introduces it", () => {
    const { status, stdout } = hlo([narrow]);
    assert.equal(status, 0);
    assert.match(stdout, /^result: largest error 48\.64 ulp, .*: 16, expected 12\.9602637;/);
    assert.match(stdout, /most introduced by d \(line 7\): cancellation of 1024 and 1020/);
    assert.match(stdout, /first that differs: x \(line 5\)/);
  });

  it("has everything as JSON: what introduces most comes first", () => {
    const { status, stdout } = hlo([narrow, "--json", "--as", "f32"]);
    assert.equal(status, 0);
    const answer = JSON.parse(stdout);
    assert.equal(answer.ok, true);
    assert.deepEqual(
      answer.rows.map(({ name }) => name),
      ["d", "r", "x", "y"],
    );
    assert.equal(answer.rows[0].line, 7);
    assert.deepEqual(answer.rows[0].cancelled, ["1024", "1020"]);
    assert.equal(answer.rows[0].error.value, "4");
  });

  it("compares with another program on the same inputs", () => {
    const text = (op) => `ENTRY e {
  p = f32[4] parameter(0)
  n = f32[4] exponential(p)
  ROOT r = f32[4] ${op}(n)
}
`;
    const one = file("one.hlo", text("negate"));
    const other = file("other.hlo", text("abs"));
    assert.equal(hlo([one, one]).stdout, "result: no element differs\n");
    const { status, stdout } = hlo([one, other, "--input", "0={0, 1, 2, 3}"]);
    assert.equal(status, 0);
    assert.match(stdout, /; 4 of 4 elements differ/);
    assert.doesNotMatch(stdout, / n \(line 3\)/);
  });

  it("names the program at fault, and its instruction", () => {
    const good = file("good.hlo", "ENTRY e {\n  ROOT c = f32[] constant(1)\n}\n");
    const bad = file("bad.hlo", "ENTRY e {\n  ROOT c = f32[] no-such-op()\n}\n");
    assert.notEqual(hlo([bad]).status, 0);
    assert.notEqual(hlo([good, bad]).status, 0);
    const call = 'ENTRY e {\n  ROOT c = f32[] custom-call(), custom_call_target="none"\n}\n';
    const { status, stderr, stdout } = hlo([good, file("call.hlo", call)]);
    assert.equal(status, 1);
    assert.match(stderr, /the other program: c: /);
    assert.equal(stdout, "");
  });
});
