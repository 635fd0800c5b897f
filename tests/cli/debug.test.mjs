// `hlo debug`: a run followed forward and back by commands, natively and as Wasm.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const LOOP = `cond {
  i = s32[] parameter(0)
  n = s32[] constant(3)
  ROOT lt = pred[] compare(i, n), direction=LT
}
body {
  i = s32[] parameter(0)
  one = s32[] constant(1)
  ROOT next = s32[] add(i, one)
}
ENTRY e {
  z = s32[] constant(0)
  w = s32[] while(z), condition=cond, body=body
  q = f32[] convert(w)
  ROOT r = f32[2] broadcast(q), dimensions={}
}
`;

const COMMANDS = `over
over
back-over
into
where
until next == 2
print next
back-continue
break next and iteration 2
continue
foo
until nothing
steps 2
end
`;

const noFetch = process.allowedNodeEnvironmentFlags.has("--experimental-fetch")
  ? ["--no-experimental-fetch"]
  : [];

describe("hlo debug", () => {
  let folder;
  let file;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "hlo-debug-"));
    file = join(folder, "loop.hlo");
    writeFileSync(file, LOOP);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [where, command] of [
    ["natively", ["build/native/hlo"]],
    ["as Wasm", [process.execPath, ...noFetch, "build/wasm/hlo.js"]],
  ]) {
    it(`goes forward and back, ${where}`, () => {
      const script = join(folder, "commands");
      writeFileSync(script, COMMANDS);
      const [program, ...first] = command;
      const result = spawnSync(program, [...first, "debug", file, "--script", script], {
        encoding: "utf8",
      });
      assert.deepEqual(result.stdout.split("\n"), [
        "33 steps",
        "1: line 12: z = 0",
        "30: line 13: w = 3",
        "1: line 12: z = 0",
        "2: line 13: w: calls cond",
        "  e at line 13: w",
        "  cond [0] at line 2: cond/i",
        "17: line 9: [1] body/next = 2",
        "next = 2 (step 16)",
        "no such step; 0: before the first step",
        "breakpoint 1: next and iteration 2",
        "25: line 9: [2] body/next = 3",
        "? there is no command 'foo': help lists them",
        "? there is no instruction 'nothing'",
        "  23: [2] body/one = 1",
        "  24: [2] body/next = 3",
        "33: line 15: r: the program ends",
        "",
      ]);
      assert.equal(result.status, 1);
    });
  }

  it("wants commands from a file for a program from standard input", () => {
    const result = spawnSync("build/native/hlo", ["debug", "-"], { input: LOOP, encoding: "utf8" });
    assert.equal(result.status, 2);
    assert.match(result.stderr, /--script/);
  });

  it("answers a command before it waits for the next one", { timeout: 20_000 }, async () => {
    const hlo = spawn("build/native/hlo", ["debug", file]);
    hlo.stdout.setEncoding("utf8");
    let said = "";
    const saying = async (words) => {
      while (!said.includes(words)) said += (await once(hlo.stdout, "data"))[0];
    };
    await saying("steps");
    hlo.stdin.write("go 1\n");
    await saying("1: line 12: z = 0");
    hlo.stdin.write("print z\n");
    await saying("z = 0 (step 0)");
    hlo.stdin.end("quit\n");
    assert.deepEqual(await once(hlo, "close"), [0, null]);
  });
});
