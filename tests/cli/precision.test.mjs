// `hlo precision`: what the width of its floats costs a program, where two programs or runs part, and
// results against what they should be.
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
    assert.match(
      stdout,
      /^result: largest error 48\.64 ulp, .*: 16, expected 12\.9602637; largest relative error /,
    );
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

  const pair = file(
    "pair.hlo",
    `ENTRY e {
  p = f32[4] parameter(0)
  s = bf16[4] convert(p)
  d = f32[4] exponential(p)
  ROOT t = (bf16[4], f32[4]) tuple(s, d)
}
`,
  );
  // [1, e^0.1, e^0.2, e^0.3] as numpy writes it.
  const npy = join(folder, "exp.npy");
  const head = `${"{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }".padEnd(117)}\n`;
  writeFileSync(
    npy,
    Buffer.concat([
      Buffer.from([0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0]),
      Buffer.from(head),
      Buffer.from(new Float64Array([0, 0.1, 0.2, 0.3].map(Math.exp)).buffer),
    ]),
  );

  it("compares each result with what is expected: a literal, an expression, a file", () => {
    const input = ["--input", "0=0.1*i0"];
    const { status, stdout } = hlo([
      ...[pair, ...input, "--expected", "0={0, 0.1, 0.2, 0.3}", "--expected", `1=${npy}`],
    ]);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^result: largest error 0\.4 ulp, at \{0\}\[3\]: 0\.30078125, expected 0\.3;/,
    );
    const expected = ["--expected", "0={0, 0.1, 0.2, 0.3}"];
    const within = hlo([pair, ...input, ...expected, "--at-most", "0.5"]);
    assert.equal(within.status, 0, within.stderr);
    const beyond = hlo([pair, ...input, ...expected, "--at-most", "0.1"]);
    assert.equal(beyond.status, 1);
    assert.match(beyond.stderr, /the result is further off than --at-most 0\.1/);
    assert.match(stdout, /^result \{0\}: 3 of 4 elements differ; error at most 0\.4 ulp/m);
    assert.match(stdout, /^result \{1\}: 3 of 4 elements differ; error at most 0\.\d+ ulp/m);
    const answer = JSON.parse(
      hlo([pair, ...input, "--json", "--expected", "1=exp(0.1*i0)"]).stdout,
    );
    assert.equal(answer.arrays.length, 1);
    assert.deepEqual(answer.arrays[0].path, [1]);
    assert.ok(answer.arrays[0].error.ulp < 1);
    assert.ok(answer.arrays[0].worst[0].index[0] > 0);
    assert.deepEqual(answer.rows, []);
  });

  it("refuses what cannot be expected, in words", () => {
    const shape = hlo([pair, "--expected", "0={1, 2}"]);
    assert.equal(shape.status, 1);
    assert.match(shape.stderr, /the expected value of element \{0\}: expects 4 elements/);
    assert.match(hlo([pair, "--expected", npy]).stderr, /say which element/);
    const absent = hlo([pair, "--expected", "0=absent.npy"]);
    assert.equal(absent.status, 2);
    assert.match(absent.stderr, /absent\.npy/);
    assert.equal(hlo([pair, pair, "--expected", "0={1, 2, 3, 4}"]).status, 2);
  });

  it("runs the program twice, with other inputs, another seed, other products", () => {
    const other = hlo([pair, "--input", "0=zero", "--other-input", "0={0, 0, 1, 0}"]);
    assert.equal(other.status, 0);
    assert.match(other.stdout, /^result \{1\}: 1 of 4 elements differ/m);
    assert.match(hlo([pair, "--other-seed", "3"]).stdout, /^result \{0\}: 4 of 4 elements differ/m);
    assert.equal(hlo([pair, "--other-seed", "0"]).stdout, "result: no element differs\n");
    const product = file(
      "product.hlo",
      `ENTRY e {
  p = f32[2] constant({1.001, 1})
  ROOT d = f32[] dot(p, p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
`,
    );
    assert.match(hlo([product, "--other-products", "bf16"]).stdout, /, expected 2;/);
    assert.equal(
      hlo([product, "--products", "tf32", "--other-products", "tf32"]).stdout,
      "result: no element differs\n",
    );
  });

  it("sums in f64 where it is asked to", () => {
    const sum = file(
      "sum.hlo",
      `ENTRY e {
  p = f32[4096] parameter(0)
  ROOT d = f32[] dot(p, p), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
`,
    );
    assert.equal(hlo([sum, "--as", "own"]).stdout, "result: no element differs\n");
    assert.match(
      hlo([sum, "--as", "own", "--sums", "f64"]).stdout,
      /most introduced by d \(line 3\)/,
    );
    assert.equal(hlo([sum, "--as", "f32"]).stdout, "result: no element differs\n");
    assert.notEqual(
      hlo([sum, "--as", "f32", "--sums", "f64"]).stdout,
      "result: no element differs\n",
    );
  });

  it("says where control flow parts, and has the error along the run", () => {
    const loop = file(
      "loop.hlo",
      `cond {
  s = bf16[] parameter(0)
  n = bf16[] constant(14)
  ROOT less = pred[] compare(s, n), direction=LT
}
body {
  s = bf16[] parameter(0)
  step = bf16[] constant(0.1001)
  ROOT w = bf16[] add(s, step)
}
ENTRY e {
  z = bf16[] constant(0)
  ROOT l = bf16[] while(z), condition=cond, body=body
}
`,
    );
    const { stdout } = hlo([loop]);
    assert.match(
      stdout,
      /^control flow parts at l \(line 13\): after 132 iterations it ends, and goes on in the program in f64$/m,
    );
    const { growth, parted } = JSON.parse(hlo([loop, "--json"]).stdout);
    assert.equal(parted, 1);
    const added = growth.instructions.findIndex(({ name }) => name === "w");
    const errors = growth.points.filter(({ instruction }) => instruction === added);
    assert.equal(errors.length, 132);
    assert.deepEqual(errors[7].iterations, [7]);
    assert.ok(errors[131].norm > errors[3].norm);
  });

  it("pairs a program with what it is in the other dialect", () => {
    const program = file(
      "dialect.hlo",
      `HloModule m
ENTRY e {
  a = f32[8,8] parameter(0)
  b = f32[8,8] tanh(a)
  ROOT c = f32[8,8] dot(b, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`,
    );
    const { stdout: mlir } = spawnSync(
      "build/native/hlo",
      ["convert", program, "--to", "stablehlo"],
      {
        encoding: "utf8",
      },
    );
    const { status, stdout } = hlo([program, file("dialect.mlir", mlir), "--json"]);
    assert.equal(status, 0);
    const answer = JSON.parse(stdout);
    assert.equal(answer.summary, "result: no element differs");
    assert.equal(answer.notCompared, 0);
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
