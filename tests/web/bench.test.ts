/** The benchmark: its cases give the same in JavaScript and here; its links say what was measured. */
import { describe, expect, it } from "vitest";
import { type BenchCase, cases } from "../../web/bench/cases";
import { arrayOf, copyOf, randomFloats, randomIndices, randomPairs } from "../../web/bench/data";
import { startLimit, startPeak } from "../../web/bench/limits";
import { agree, type Measured, measure } from "../../web/bench/measure";
import { startOurs } from "../../web/bench/ours";
import { startPlain } from "../../web/bench/plain.mjs";
import {
  cellsOf,
  describeMachine,
  geometricMean,
  markdownOf,
  readResults,
  rounded,
  writeResults,
} from "../../web/src/bench/results";
import { startMeasuring } from "../../web/src/bench/run";
import { engine } from "./engine";

const named = (name: string): BenchCase => {
  const found = cases.find((bench) => bench.name === name);
  if (!found) throw new Error(`there is no case ${name}`);
  return found;
};

/** Those that take plain JavaScript less than about 50 ms. */
const QUICK = [
  ...["matmul256", "vecmat4096", "dwconv3x3", "add4M", "layernorm", "reduce0", "argmax"],
  ...["gather100k", "scatter100k", "cumsum1M", "tiny100"],
];

describe("the cases of the benchmark", () => {
  it("have names of their own, which links can have", () => {
    const names = cases.map(({ name }) => name);
    expect(names.length).toBe(30);
    expect(new Set(names).size).toBe(30);
    for (const name of names) expect(name).toMatch(/^[a-z]\w+$/);
    expect(["on", "at"].filter((name) => names.includes(name))).toEqual([]);
  });

  it.each(QUICK)("%s gives the same here and in plain JavaScript", (name) => {
    const bench = named(name);
    const operands = bench.operands().map(arrayOf);
    const here = startOurs(engine, bench, operands.map(copyOf));
    const plain = startPlain(name, operands);
    here.run();
    plain?.run();
    expect(here.sample().length).toBeGreaterThan(0);
    expect(agree(plain?.sample() ?? [], here.sample())).toBe(true);
    here.dispose();
  });

  it("agreement is not for the asking", () => {
    expect(agree([1, 2], [1, 2.1])).toBe(false);
    expect(agree([1, 2], [1, Number.NaN])).toBe(false);
  });

  it("take their numbers from a generator that stays as it is: other engines have the same", () => {
    expect([...arrayOf(randomFloats(3, 1))]).toEqual([
      -0.3658057451248169, 0.5013548135757446, 0.7332435846328735,
    ]);
    expect([...arrayOf(randomIndices(3, 1000))]).toEqual([400, 448, 168]);
    const [re, im] = randomPairs(2, 1).map(arrayOf);
    expect([re?.[0], im?.[0], re?.[1]]).toEqual([...arrayOf(randomFloats(3, 1))]);
  });
});

describe("the limit", () => {
  it("is what takes longer: memory where every element is used once, arithmetic in products", () => {
    expect(startLimit(named("add4M"))?.bound).toBe("memory");
    expect(startLimit(named("matmul256"))?.bound).toBe("arithmetic");
    expect(startLimit(named("tiny100"))).toBeNull();
  });

  it("does the operations that it is asked for: twice as many take longer", () => {
    const time = (flops: number): number => {
      const peak = startPeak(flops);
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        peak.run();
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    expect(time(800e6)).toBeGreaterThan(2 * time(100e6));
  });
});

describe("measuring", () => {
  it("gives a time to each, and no difference between the results", () => {
    const measured = measure(engine, named("cumsum1M"), { rounds: 2, turn: 5 });
    expect(measured).toMatchObject({ name: "cumsum1M", bound: "memory", differs: false });
    for (const ms of [measured.ours, measured.plain, measured.limit, measured.first]) {
      expect(ms).toBeGreaterThan(0);
    }
  });

  it("times sums of products with fused multiply-adds too, where that is asked", () => {
    const quick = { rounds: 1, turn: 1, isFusedToo: true };
    expect(measure(engine, named("matmul256"), quick)).toMatchObject({ differs: false });
    expect(measure(engine, named("matmul256"), quick).fused).toBeGreaterThan(0);
    expect(measure(engine, named("cumsum1M"), quick)).not.toHaveProperty("fused");
  });

  it("ends when it is cancelled: what the worker says after that is not heard", () => {
    const heard: string[] = [];
    let isTerminated = false;
    const worker = {
      postMessage: () => undefined,
      terminate: () => {
        isTerminated = true;
      },
    } as unknown as Worker;
    const note = (what: string) => (): void => void heard.push(what);
    const listener = {
      ready: note("ready"),
      begun: note("begun"),
      measured: note("measured"),
      failed: note("failed"),
      done: note("done"),
    };
    const end = startMeasuring({ names: [], quick: true }, listener, () => worker);
    worker.onmessage?.({ data: { kind: "ready", ms: 1 } } as MessageEvent);
    end();
    worker.onmessage?.({ data: { kind: "done" } } as MessageEvent);
    expect(heard).toEqual(["ready"]);
    expect(isTerminated).toBe(true);
  });

  it("says why when the worker cannot be started", () => {
    const heard: string[] = [];
    const worker = {
      postMessage: () => undefined,
      terminate: () => undefined,
    } as unknown as Worker;
    startMeasuring(
      { names: [], quick: true },
      {
        ready: () => undefined,
        begun: () => undefined,
        measured: () => undefined,
        failed: (_, why) => heard.push(why),
        done: () => heard.push("done"),
      },
      () => worker,
    );
    worker.onerror?.({ message: "404" } as ErrorEvent);
    expect(heard).toEqual(["404", "done"]);
  });
});

const measured: Measured[] = [
  {
    ...{ name: "matmul256", ours: 1.25, plain: 25, limit: 0.5, bound: "arithmetic" },
    ...{ first: 30, differs: false },
  },
  {
    ...{ name: "matmul1024_f16", ours: 100, plain: null, limit: null, bound: null },
    ...{ first: 120, differs: true },
  },
];
const results = { measured, machine: "Firefox 150, Linux, 4 cores", date: "2026-11-25" };

describe("a link of results", () => {
  it("holds all of them", () => {
    expect(readResults(`#${writeResults(results)}`)).toEqual(results);
  });

  it("show the same digits in the table and behind a link, whatever was measured", () => {
    // Rounded to four digits and then to three, 0.98249 would be 0.983.
    for (let ours = 0.0098249; ours < 1000; ours *= 1.37) {
      const [one] = results.measured;
      if (!one) throw new Error("there are no results");
      const shown = rounded({ ...one, ours, plain: 3 * ours, limit: ours / 3, first: 2 * ours });
      const linked = readResults(`#${writeResults({ ...results, measured: [shown] })}`);
      expect(linked?.measured.map(cellsOf)).toEqual([cellsOf(shown)]);
    }
  });

  it("is read as far as it makes sense, whoever wrote it", () => {
    expect(readResults("")).toBeNull();
    expect(readResults("#2/matmul256=1_2_3_4_a_")).toBeNull();
    expect(readResults("#1/matmul256=-1_2_3_4_a_&nothing=1_2_3_4_a_")).toBeNull();
    expect(readResults("#1/matmul256=1e999_2_3_4_a_")).toBeNull();
    expect(readResults(`#1/matmul256=1_2_3_4_a_&on=${"x".repeat(20_000)}`)).toBeNull();
    const odd = readResults("#1/on=%3Cb%3E%00&at=yesterday&matmul256=1_0_x_&__proto__=1_2_3_4_a_");
    expect(odd?.date).toBe("");
    expect(odd?.measured).toEqual([
      {
        ...{ name: "matmul256", ours: 1, plain: null, limit: null, bound: null },
        ...{ first: 1, differs: false },
      },
    ]);
  });

  it("that was published before reads as it did", () => {
    const published = "#1/on=Chrome+156&at=2026-11-25&exp4M=4.7_26_1.25_10.3_m_";
    expect(readResults(published)?.measured[0]).toMatchObject({ ours: 4.7, bound: "memory" });
  });
});

describe("what is shown of results", () => {
  it("are rates, ratios and parts of the limit", () => {
    expect(measured.map(cellsOf)).toEqual([
      ["1.25", "26.8 GFLOP/s", "25.0", "20.0", "0.500", "40 %", "30.0"],
      ["100", "21.5 GFLOP/s", "", "", "", "", "120"],
    ]);
    expect(geometricMean([2, 8, null])).toBeCloseTo(4);
    expect(geometricMean([null])).toBeNull();
  });

  it("is a table in Markdown, in which a machine's name is only text", () => {
    const lines = markdownOf({ ...results, machine: "a|b <img>" }).split("\n");
    expect(lines[0]).toBe("Benchmark of HLO Playground, a b  img , 2026-11-25");
    const columns = lines.slice(2, 6).map((line) => line.split("|").length);
    expect(new Set(columns)).toEqual(new Set([10]));
  });

  it("names the browser", () => {
    const agent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36";
    expect(describeMachine(agent, 2)).toBe("Chrome 156, Linux, 2 cores");
    expect(describeMachine("", 0)).toBe("unknown browser");
    const like = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0";
    const edge = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Safari/537.36 Edg/131.0`;
    expect(describeMachine(edge, 0)).toBe("Edge 131, Windows");
    const phone = `Mozilla/5.0 (Linux; Android 10; K) ${like} Mobile Safari/537.36`;
    expect(describeMachine(phone, 0)).toBe("Chrome 131, Android");
  });
});
