// The `hlo` command, natively and as Wasm under Node: the same words and the same exit status.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { unzipSync, zipSync } from "fflate";

const programs = [{ name: "native", command: ["build/native/hlo"] }];
if (existsSync("build/wasm/hlo.js")) {
  // Node 20's own fetch makes this Emscripten try the network for a file path.
  const flags = process.allowedNodeEnvironmentFlags.has("--experimental-fetch")
    ? ["--no-experimental-fetch"]
    : [];
  programs.push({ name: "wasm", command: [process.execPath, ...flags, "build/wasm/hlo.js"] });
}

const GOOD = `HloModule m
ENTRY e {
  p = f32[2,3]{1,0} parameter(0)
  q = f32[2,3]{1,0} parameter(1)
  ROOT s = f32[2,3]{1,0} add(p, q)
}
`;
const BAD = `ENTRY e {
  p = f32[2] parameter(0)
  ROOT s = f32[2] ad(p, p)
}
`;
const ENDLESS = `HloModule m
c { i = s32[] parameter(0)  ROOT t = pred[] constant(true) }
b { i = s32[] parameter(0)  one = s32[] constant(1)  ROOT n = s32[] add(i, one) }
ENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=c, body=b }
`;

for (const { name, command } of programs) {
  describe(`hlo (${name})`, () => {
    let folder;
    const file = (base, text) => {
      const path = join(folder, base);
      writeFileSync(path, text);
      return path;
    };
    const hlo = (args, input = "") =>
      spawnSync(command[0], [...command.slice(1), ...args], { input, encoding: "utf8" });
    before(() => {
      folder = mkdtempSync(join(tmpdir(), "hlo-"));
    });
    after(() => {});

    it("check: status 0 and silence on stderr for a good file", () => {
      const result = hlo(["check", file("good.hlo", GOOD)]);
      assert.equal(result.status, 0, result.stderr);
      assert.equal(result.stderr, "");
    });

    it("shrink: the same program on smaller arrays, and what has become of the sizes", () => {
      const large = file("large.hlo", GOOD.replaceAll("2,3", "4096,4096"));
      const result = hlo(["shrink", large, "--peak", "100000"]);
      assert.equal(result.status, 0, result.stderr);
      assert.match(result.stdout, /f32\[64,64\]\S* add\(p, q\)/);
      assert.match(result.stderr, /4096 -> 64/);
      assert.equal(hlo(["check", file("small.hlo", result.stdout)]).status, 0);
    });

    it("isolate: instructions as a program, by name", () => {
      const result = hlo(["isolate", file("good.hlo", GOOD), "s"]);
      assert.equal(result.status, 0, result.stderr);
      assert.match(result.stdout, /ROOT s = f32\[2,3\]\S* add\(p, q\)/);
      const missing = hlo(["isolate", file("good.hlo", GOOD), "nothing"]);
      assert.equal(missing.status, 2);
      assert.match(missing.stderr, /there is no instruction 'nothing'/);
      const state = "((f32[4]), f32[4], u32[])";
      const crossing = `cond { s = ${state} parameter(0)
  ROOT go = pred[] constant(false) }
body { s = ${state} parameter(0)
  x = f32[4] negate-done(s)
  ROOT next = ${state} negate-start(x) }
ENTRY e { y = f32[4] parameter(0)
  start = ${state} negate-start(y)
  loop = ${state} while(start), condition=cond, body=body
  ROOT done = f32[4] negate-done(loop) }`;
      const half = hlo(["isolate", file("crossing.hlo", crossing), "next"]);
      assert.equal(half.status, 1);
      assert.equal(half.stdout, "");
      assert.match(half.stderr, /nothing is isolated: by themselves they are no valid program/);
    });

    it("check: status 1, a caret and a fix for a bad one, and the other files are still read", () => {
      const result = hlo(["check", file("bad.hlo", BAD), file("good.hlo", GOOD)]);
      assert.equal(result.status, 1);
      assert.match(result.stderr, /bad\.hlo:3:19: error: .*ad.*\[opcode-unknown\]/);
      assert.match(result.stderr, /\n {2} {2}ROOT s = f32\[2\] ad\(p, p\)\n\s+\^~/);
      assert.match(result.stderr, /add/);
    });

    it("check: reads stdin as -, and says so when a file is missing", () => {
      assert.equal(hlo(["check", "-"], GOOD).status, 0);
      const missing = hlo(["check", join(folder, "missing.hlo")]);
      assert.notEqual(missing.status, 0);
      assert.match(missing.stderr, /missing\.hlo/);
    });

    it("plan: which instructions run as one loop, and why others do not", () => {
      const text =
        "ENTRY e { x = f32[9] parameter(0)  a = f32[9] negate(x)  ROOT b = f32[9] add(a, x) }";
      const plan = hlo(["plan", "-"], text);
      assert.equal(plan.status, 0);
      assert.match(plan.stdout, /^ {2}loop over 9 elements: a, b$/m);
      const [e] = JSON.parse(hlo(["plan", "-", "--json"], text).stdout).computations;
      assert.deepEqual(e.steps[1].instructions, ["a", "b"]);
      assert.equal(hlo(["plan", file("bad.hlo", BAD)]).status, 1);
      assert.equal(hlo(["plan", "-"], "f32[3]").status, 1);
    });

    it("wat: the code that is generated for a module's loops", () => {
      const text =
        "ENTRY e { x = f32[9] parameter(0)  a = f32[9] negate(x)  ROOT b = f32[9] add(a, x) }";
      const { status, stdout } = hlo(["wat", "-"], text);
      assert.equal(status, 0);
      assert.match(
        stdout,
        /^;; e: loop over 9 elements: a, b\n;; 0: operations 1 to 2 of 2, 8 lanes at a time\n;; {4}of 8192 lanes and more both halves at once\n/,
      );
      assert.match(stdout, /^ +;; a = negate$/m);
      assert.match(stdout, /^ +v128\.xor$/m);
      assert.match(
        hlo(["wat", "-"], "ENTRY e { ROOT x = f32[9] parameter(0) }").stdout,
        /no loops/,
      );
      assert.equal(hlo(["wat", file("bad.hlo", BAD)]).status, 1);
    });

    it("run --multiply-add: the product is rounded before it is added, or not", () => {
      // The square of 1 + 2^-12, less 1 + 2^-11.
      const dot = `ENTRY e {
  p = f32[2] constant({1, 1.000244140625})
  q = f32[2] constant({-1.00048828125, 1.000244140625})
  ROOT d = f32[] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}`;
      assert.match(hlo(["run", "-"], dot).stdout, /f32\[\] 0\b/);
      assert.equal(
        hlo(["run", "-", "--multiply-add", "separate"], dot).stdout,
        hlo(["run", "-"], dot).stdout,
      );
      for (const trace of [[], ["--trace"]]) {
        const fused = hlo(["run", "-", "--multiply-add", "fused", ...trace], dot);
        assert.equal(fused.status, 0, fused.stderr);
        assert.match(fused.stdout, /5\.96046448e-08/);
      }
      const other = hlo(["precision", "-", "--other-multiply-add", "fused"], dot);
      assert.match(other.stdout, /0, expected 5\.96046448e-08/);
      for (const verb of [
        ["run", "-", "--multiply-add"],
        ["precision", "-", "--other-multiply-add"],
      ]) {
        const refused = hlo([...verb, "double"], dot);
        assert.notEqual(refused.status, 0);
        assert.match(refused.stderr, /separate/);
      }
    });

    it("run --json: what ran, and how long", () => {
      const text =
        "ENTRY e { x = f32[9] parameter(0)  a = f32[9] negate(x)  ROOT b = f32[9] add(a, x) }";
      const { plan } = JSON.parse(hlo(["run", "-", "--json"], text).stdout);
      assert.equal(plan.islands[0].computation, "e");
      assert.deepEqual(plan.steps[0].instructions.shown, ["a", "b"]);
      assert.ok(plan.steps[0].seconds > 0);
    });

    it("memory: the buffers of a module, and what a report of too little memory says", () => {
      const module = hlo(["memory", file("good.hlo", GOOD)]);
      assert.equal(module.status, 0);
      assert.match(module.stdout, /^peak 72B at p \(1 of 3\), 0B of it padding$/m);
      const text = [
        "Ran out of memory in memory space hbm. Used 2.00G of 1.00G hbm.",
        "  Largest program allocations in hbm:",
        "  1. Size: 2.00G",
        "     Shape: f32[4194304,4]{1,0:T(8,128)}",
        "     Unpadded size: 64.00M",
        "     XLA label: %copy.1 = f32[4194304,4]{1,0:T(8,128)} copy(%p)",
        "     Allocation type: HLO temp",
      ].join("\n");
      const report = hlo(["memory", file("report.txt", text)]);
      assert.equal(report.status, 0);
      assert.match(report.stdout, /^hbm: 2.00G used of 1.00G$/m);
      assert.match(
        report.stdout,
        /1.94G padding: dimension 1: 4 padded to 128 by tile \(8,128\)$/m,
      );
      assert.equal(hlo(["memory", file("bad.hlo", BAD)]).status, 1);
    });

    it("status 2 for what is no usage", () => {
      assert.equal(hlo([]).status, 2);
      assert.equal(hlo(["frobnicate"]).status, 2);
      assert.equal(hlo(["run"]).status, 2);
      assert.equal(hlo(["layout", "f32[2]{0}", "--index", "x"]).status, 2);
    });

    it("--help is no error", () => {
      const result = hlo(["--help"]);
      assert.equal(result.status, 0);
      assert.match(result.stdout, /check/);
      assert.match(result.stdout, /layout/);
    });

    it("print: a fixed point", () => {
      const once = hlo(["print", file("good.hlo", GOOD)]);
      assert.equal(once.status, 0, once.stderr);
      const twice = hlo(["print", "-"], once.stdout);
      assert.equal(twice.stdout, once.stdout);
    });

    it("convert: StableHLO and back; what cannot be converted is named, with status 1", () => {
      const there = hlo(["convert", "--to=stablehlo", file("good.hlo", GOOD)]);
      assert.equal(there.status, 0, there.stderr);
      assert.match(there.stdout, /%0 = stablehlo\.add %arg0, %arg1 : tensor<2x3xf32>/);
      const back = hlo(["convert", "--to=hlo", "-"], there.stdout);
      assert.equal(back.status, 0, back.stderr);
      assert.match(back.stdout, /ROOT v0 = f32\[2,3\]\{1,0\} add\(arg0, arg1\)/);
      const none = hlo(
        ["convert", "--to=stablehlo", "-"],
        "ENTRY e { ROOT x = u64[2] rng-get-and-update-state(), delta=1 }",
      );
      assert.equal(none.status, 1);
      assert.equal(none.stdout, "");
      assert.match(none.stderr, /rng-get-and-update-state has no counterpart in StableHLO/);
      assert.equal(hlo(["convert", "--to=python", file("good.hlo", GOOD)]).status, 2);
    });

    const python = spawnSync("python3", ["--version"]).status === 0;
    it("script: Python that compiles", { skip: !python && "no python3 here" }, () => {
      const big = GOOD.replaceAll("2,3", "200,300");
      for (const [base, text] of [
        ["good.hlo", GOOD],
        ["big.hlo", big],
      ]) {
        const result = hlo(["script", file(base, text), "--input", "1=iota"]);
        assert.equal(result.status, 0, result.stderr);
        const script = file("script.py", result.stdout);
        const compiled = spawnSync("python3", ["-m", "py_compile", script], { encoding: "utf8" });
        assert.equal(compiled.status, 0, compiled.stderr);
      }
    });

    it("run: literal inputs", () => {
      const path = file("good.hlo", GOOD);
      const result = hlo([
        "run",
        path,
        "--input",
        "0={{1,2,3},{4,5,6}}",
        "--input",
        "1=constant:1",
      ]);
      assert.equal(result.status, 0, result.stderr);
      assert.match(result.stdout.replace(/\s/g, ""), /\{\{2,3,4\},\{5,6,7\}\}/);
    });

    it("number says how a number looks in every float type", () => {
      const all = hlo(["number", "0.1"]);
      assert.equal(all.status, 0);
      assert.match(
        all.stdout,
        /bf16 +0\.10009765625 +0\.00098 +0x3dcd +normal +0 01111011 1001101/,
      );
      const json = JSON.parse(hlo(["number", "0.1", "--type", "f8e4m3fn", "--json"]).stdout);
      assert.equal(json.types[0].value, "0.1015625");
      assert.equal(hlo(["number", "abc"]).status, 2);
      assert.equal(hlo(["number", "1", "--type", "pred"]).status, 2);
      assert.equal(hlo(["number", "0.5", "--type", "s32"]).status, 2);
      const s8 = hlo(["number", "--type", "s8", "--", "-2"]).stdout;
      assert.match(s8, /bits +11111110/);
      assert.match(s8, /unsigned +254/);
      assert.match(hlo(["number", "300"]).stdout, /u8 +44 +low bits +0x2c +00101100/);
    });

    it("run takes expressions as inputs, and says where one is wrong", () => {
      const text = "ENTRY e { x = f32[2,2] parameter(0)  ROOT y = f32[2,2] add(x, x) }";
      const input = (spec) => hlo(["run", file("expression.hlo", text), "--input", `0=${spec}`]);
      assert.match(input("i0 + 0.5*i1 with [1,1] = 4").stdout, /\{ 0, 1 \}, \{ 2, 8 \}/);
      const bad = input("i0 + sn(2)");
      assert.equal(bad.status, 1);
      assert.match(bad.stderr, /'sn' is neither a function.*column 6 of i0 \+ sn\(2\)/);
    });

    it("run takes all inputs from an .npz file, by name or in order, and saves its results as one", () => {
      const head = `${"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117)}\n`;
      const npy = (...numbers) =>
        new Uint8Array([
          ...[0x93, ...Buffer.from("NUMPY"), 1, 0, head.length, 0],
          ...Buffer.from(head),
          ...new Uint8Array(new Float32Array(numbers).buffer),
        ]);
      const [ones, steps] = [npy(1, 1, 1, 1, 1, 1), npy(0, 1, 2, 3, 4, 5)];
      const good = file("npz.hlo", GOOD.replace("add", "subtract"));
      const [given, saved] = [join(folder, "in.npz"), join(folder, "out.npz")];
      // Compressed, as numpy.savez_compressed does; stored, as numpy.savez.
      writeFileSync(given, zipSync({ "q.npy": ones, "p.npy": steps }, { level: 9 }));
      const run = hlo(["run", good, "--input", `@${given}`, "--save", saved]);
      assert.equal(run.status, 0, run.stderr);
      assert.match(run.stdout, /\{ -1, 0, 1 \}, \{ 2, 3, 4 \}/);
      const results = unzipSync(readFileSync(saved));
      assert.deepEqual(Object.keys(results), ["output.npy"]);
      const floats = results["output.npy"].slice(-24).buffer;
      assert.deepEqual([...new Float32Array(floats)], [-1, 0, 1, 2, 3, 4]);
      writeFileSync(given, zipSync({ "arr_1.npy": steps, "arr_0.npy": ones }, { level: 0 }));
      assert.match(hlo(["run", good, "--input", `@${given}`]).stdout, /\{ 1, 0, -1 \}/);
      writeFileSync(given, zipSync({ "a.npy": ones, "b.npy": ones, "c.npy": ones }));
      const more = hlo(["run", good, "--input", `@${given}`]);
      assert.equal(more.status, 2);
      assert.match(more.stderr, /c is no parameter of the program, which has p, q/);
      // A name beside others that are known is a mistake, not the next array in order.
      writeFileSync(given, zipSync({ "q.npy": ones, "pp.npy": steps }));
      const mistyped = hlo(["run", good, "--input", `@${given}`]);
      assert.equal(mistyped.status, 2);
      assert.match(mistyped.stderr, /pp is no parameter/);
      // What is said of one parameter holds, wherever it stands.
      writeFileSync(given, zipSync({ "q.npy": ones, "p.npy": steps }));
      for (const inputs of [
        [`@${given}`, "0=zero"],
        ["0=zero", `@${given}`],
      ]) {
        const both = hlo(["run", good, ...inputs.flatMap((input) => ["--input", input])]);
        assert.match(both.stdout, /\{ -1, -1, -1 \}, \{ -1, -1, -1 \}/, both.stderr);
      }
      const damaged = zipSync({ "q.npy": ones, "p.npy": steps }, { level: 0 });
      damaged[damaged.indexOf(0x93) + 130] ^= 1;
      writeFileSync(given, damaged);
      const broken = hlo(["run", good, "--input", `@${given}`]);
      assert.equal(broken.status, 2);
      assert.match(broken.stderr, /q\.npy is damaged: its checksum does not match/);
      writeFileSync(given, zipSync({}));
      assert.match(hlo(["run", good, "--input", `@${given}`]).stderr, /the archive has no arrays/);
      writeFileSync(given, "no archive");
      assert.match(hlo(["run", good, "--input", `@${given}`]).stderr, /it is not a zip archive/);
    });

    it("run --json, the same seed the same numbers", () => {
      const path = file("good.hlo", GOOD);
      const a = hlo(["run", path, "--json", "--seed", "7"]);
      const b = hlo(["run", path, "--json", "--seed", "7"]);
      const c = hlo(["run", path, "--json", "--seed", "8"]);
      assert.equal(a.status, 0, a.stderr);
      const output = (r) => JSON.stringify(JSON.parse(r.stdout).output);
      assert.equal(output(a), output(b));
      assert.notEqual(output(a), output(c));
    });

    it("run --trace names every instruction", () => {
      const result = hlo(["run", file("good.hlo", GOOD), "--trace"]);
      for (const word of ["p", "q", "s"]) assert.match(result.stdout, new RegExp(`\\b${word}\\b`));
    });

    it("run: the time limit ends an endless loop, the memory limit names the instruction", () => {
      const slow = hlo(["run", file("endless.hlo", ENDLESS), "--time-limit", "0.3"]);
      assert.equal(slow.status, 1);
      assert.match(slow.stderr, /time-exceeded/);
      const big = file(
        "big.hlo",
        "ENTRY e { z = f32[] constant(0)  ROOT b = f32[1000000,1000] broadcast(z), dimensions={} }",
      );
      const result = hlo(["run", big, "--memory-limit", "1000000"]);
      assert.equal(result.status, 1);
      assert.match(result.stderr, /memory-exceeded/);
      assert.match(result.stderr, /\bb\b/);
      assert.match(result.stderr, /needs (3\.7 GiB|4000000000 bytes)/);
    });

    it("layout: sizes, one address, JSON", () => {
      const text = hlo(["layout", "f32[3,5]{1,0:T(2,2)}", "--index", "2,3"]);
      assert.equal(text.status, 0, text.stderr);
      assert.match(text.stdout, /\b17\b/);
      assert.match(text.stdout, /\b96\b/);
      const json = hlo(["layout", "f32[3,5]{1,0:T(2,2)}", "--json"]);
      assert.deepEqual(JSON.parse(json.stdout).physicalDims, [2, 3, 2, 2]);
      const bad = hlo(["layout", "f32[3,5]{1,1}"]);
      assert.equal(bad.status, 1);
      assert.match(bad.stderr, /\^/);
    });

    it("ops lists every opcode", () => {
      const rows = readFileSync("engine/ops/ops.def", "utf8").match(/^OP\(/gm).length;
      const markdown = hlo(["ops", "--markdown"]).stdout;
      const [opcodes] = markdown.split("## Targets");
      assert.equal(opcodes.match(/^\| `[a-z0-9-]+` \|/gm).length, rows);
      // `make golden-update` rewrites it.
      assert.equal(markdown, readFileSync("engine/ops/OPS.md", "utf8"));
    });
  });
}
