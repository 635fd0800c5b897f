// How long the debugger takes for a long run: to record it, to go to any of its steps, and to go one step back.
//
//   node tests/bench/timeline.mjs     BENCH=quick: a million steps in place of thirteen
import process from "node:process";
import { createEngine } from "../../build/npm/index.js";

const ITERATIONS = process.env.BENCH === "quick" ? 77_000 : 1_000_000;
/** How many steps are gone to, at random. */
const TURNS = 100;

const PROGRAM = `cond {
  s = (s32[], f32[16]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(${ITERATIONS})
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[16]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[16] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[16] sine(x)
  ROOT t = (s32[], f32[16]) tuple(j, y)
}
ENTRY e {
  z = s32[] constant(0)
  x = f32[16] parameter(0)
  t = (s32[], f32[16]) tuple(z, x)
  ROOT w = (s32[], f32[16]) while(t), condition=cond, body=body
}
`;

const engine = await createEngine();
const { handle } = engine.debug(PROGRAM, { timeLimit: 600 });
const ask = (request) => engine.askDebugger(handle, request);
const timed = (work) => {
  const begin = performance.now();
  work();
  return performance.now() - begin;
};

let length = 0;
const recorded = timed(() => {
  for (let ended = false; !ended; ) ({ length, ended } = ask({ what: "record", ms: 100 }));
});
const at = (position) => ask({ what: "at", position, device: -1 });
const there = [];
const back = [];
for (let i = 0; i < TURNS; i++) {
  const position = Math.floor(Math.random() * length);
  there.push(timed(() => at(position)));
  back.push(
    timed(() => at(ask({ what: "move", position, device: 0, move: "back-over" }).position)),
  );
}
engine.release(handle);

const figures = (times) => {
  const sorted = times.sort((a, b) => a - b);
  const [middle, last] = [sorted[TURNS >> 1], sorted.at(-1)];
  return `${middle.toFixed(1).padStart(7)} ms, at most ${last.toFixed(1)} ms`;
};
console.log(`debugger, ${length.toLocaleString("en-US")} steps (Node):`);
console.log(`  recorded in    ${(recorded / 1000).toFixed(1).padStart(7)} s`);
console.log(`  to any step    ${figures(there)}`);
console.log(`  one step back  ${figures(back)}`);
