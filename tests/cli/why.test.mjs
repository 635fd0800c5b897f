// `hlo why`: where an element of a run comes from, and the first of a kind, as lines and as JSON.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const PROGRAM = `HloModule m
ENTRY e {
  x = f32[3] parameter(0)
  z = f32[3] subtract(x, x)
  q = f32[3] divide(z, x)
  t = f32[3] reverse(q), dimensions={0}
  big = f32[3] multiply(x, x)
  ROOT r = (f32[3], f32[3]) tuple(t, big)
}
`;

describe("hlo why", () => {
  let folder;
  let file;
  const why = (...args) =>
    spawnSync("build/native/hlo", ["why", file, ...args], { encoding: "utf8" });
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "hlo-why-"));
    file = join(folder, "p.hlo");
    writeFileSync(file, PROGRAM);
  });
  after(() => rmSync(folder, { recursive: true }));

  it("follows an element through moves to where its NaN was made", () => {
    const result = why("--input", "0={0, 2, 3}", "r[0,2]");
    assert.equal(result.status, 0, result.stderr);
    const lines = result.stdout
      .split("\n")
      .filter((line) => line.startsWith("line"))
      // The sign of a NaN is the machine's.
      .map((line) => line.replace("-nan", "nan"));
    assert.deepEqual(lines, [
      "line 8: r[0,2] = nan  (tuple)",
      "line 6: t[2] = nan  (reverse)",
      "line 5: q[0] = nan  (divide)",
    ]);
    assert.match(result.stdout, /from z\[0\] = 0\n/);
  });

  it("finds the first of a kind, or says that there is none", () => {
    assert.match(
      why("--input", "0={0, 2, 3}", "--first", "nan").stdout,
      /^0 \/ 0 is NaN\n\nline 5: q\[0\]/,
    );
    assert.match(
      why("--input", "0={1, 3e38, 3}", "--first", "overflow").stdout,
      /^3e\+38 \* 3e\+38 is beyond the largest finite f32\n\nline 7: big\[1\]/,
    );
    const none = why("--input", "0={1, 2, 3}", "--first", "underflow");
    assert.equal(none.status, 0, none.stderr);
    assert.equal(none.stdout, "nothing underflowed to zero\n");
  });

  it("takes the indices of a tuple in brackets of their own, as it writes them", () => {
    const args = ["--input", "0={0, 2, 3}"];
    assert.equal(why(...args, "r[0][2]").stdout, why(...args, "r[0,2]").stdout);
    assert.equal(why(...args, "r[0]2]").status, 2);
  });

  it("says what an element reaches, up to the result", () => {
    const one = why("--input", "0={1, 2, 3}", "--reach", "x[1]");
    assert.equal(one.status, 0, one.stderr);
    assert.equal(
      one.stdout,
      [
        "line 3: x[1] = 2  (parameter)",
        "line 4: z[1] = 0  (subtract)",
        "line 5: q[1] = 0  (divide)",
        "line 6: t[1] = 0  (reverse)",
        "line 7: big[1] = 4  (multiply)",
        "line 8: r[0][1] = 0  (tuple)",
        "line 8: r[1][1] = 4  (tuple)",
        "",
        "it reaches 1 of 3 elements of the result[0]: [1]",
        "it reaches 1 of 3 elements of the result[1]: [1]",
        "",
      ].join("\n"),
    );
    const { reach, rows } = JSON.parse(
      why("--input", "0={1, 2, 3}", "--reach", "t[0]", "--json").stdout,
    );
    assert.deepEqual(rows, []);
    assert.deepEqual(
      reach.rows.map(({ name, from }) => [name, from]),
      [
        ["t", null],
        ["r", "t"],
      ],
    );
    assert.deepEqual(reach.results[0].parts[0].boxes, [[[0, 1, 1]]]);
    const nothing = why("--reach");
    assert.equal(nothing.status, 2);
  });

  it("says what an element decides: a branch, how often a loop runs", () => {
    const program = `t { x = f32[2] parameter(0)  ROOT r = f32[2] negate(x) }
f { x = f32[2] parameter(0)  ROOT n = f32[2] abs(x) }
c { i = s32[2] parameter(0)  a = s32[1] slice(i), slice={[0:1]}  s = s32[] reshape(a)  n = s32[] constant(3)  ROOT l = pred[] compare(s, n), direction=LT }
b { i = s32[2] parameter(0)  o = s32[2] constant({1, 0})  ROOT n = s32[2] add(i, o) }
ENTRY e {
  x = f32[2] parameter(0)
  p = pred[] parameter(1)
  i = s32[2] parameter(2)
  k = f32[2] conditional(p, x, x), true_computation=t, false_computation=f
  w = s32[2] while(i), condition=c, body=b
  ROOT r = (f32[2], s32[2]) tuple(k, w)
}`;
    const says = (element) => {
      const args = ["why", "-", "--input", "2={0, 7}", "--reach", element];
      const { stdout } = spawnSync("build/native/hlo", args, { encoding: "utf8", input: program });
      return stdout.split("\n\n")[1];
    };
    assert.equal(
      says("p"),
      "it does not reach the result\nit decides which branch of k runs (line 9)\n",
    );
    assert.equal(
      says("e/i[0]"),
      "it reaches 1 of 2 elements of the result[1]: [0]\nit decides how often w runs (line 10)\n",
    );
    assert.equal(says("e/i[1]"), "it reaches 1 of 2 elements of the result[1]: [1]\n");
  });

  it("writes JSON", () => {
    const { rows, complete, steps } = JSON.parse(
      why("--input", "0={0, 2, 3}", "t[2]", "--json").stdout,
    );
    assert.deepEqual(
      rows.map(({ name, line, index }) => [name, line, index]),
      [
        ["t", 6, [2]],
        ["q", 5, [0]],
      ],
    );
    assert.equal(complete, true);
    assert.ok(steps >= 6);
  });

  it("says in words what is wrong with a question", () => {
    const missing = why("nobody");
    assert.equal(missing.status, 1);
    assert.match(missing.stderr, /there is no instruction 'nobody'/);
    const asked = why("nobody", "--json");
    assert.equal(asked.status, 1);
    assert.match(asked.stderr, /there is no instruction 'nobody'/);
    assert.match(JSON.parse(asked.stdout).problem, /nobody/);
    const outside = why("t[7]");
    assert.equal(outside.status, 1);
    assert.match(outside.stderr, /'t' is f32\[3\]: it has no element \[7\]/);
    assert.equal(why().status, 2);
    assert.equal(why("t[", "--json").status, 2);
    assert.equal(why("t", "--first", "nan").status, 2);
  });
});
