/** A run in two parts: the compiled program, then its values. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Diagnostic, RunResult } from "../../wasm/engine_api";
import { cancelRun, changeSettings, run, setInput, showExample } from "../../web/src/app/actions";
import { type App, createApp } from "../../web/src/app/app";
import { runFaultsOf } from "../../web/src/app/belonging";
import { Engines } from "../../web/src/app/engines";
import { combine } from "../../web/src/app/run_parts";
import { changedSettings, DEFAULT_SETTINGS, readSettings } from "../../web/src/app/settings";
import { writable } from "../../web/src/app/state";
import { words } from "../../web/src/strings";
import { views } from "../../web/src/views/registry";
import { planRows } from "../../web/src/views/values/RunPlan";
import { engine, TestLink } from "./engine";
import { makeApp } from "./mounted";

const PROGRAM = `ENTRY e {
  x = f32[64] parameter(0)
  y = f32[64] add(x, x)
  ROOT z = f32[64] multiply(y, x)
}`;
const ENDLESS = `always { c = s32[] parameter(0)  ROOT t = pred[] constant(true) }
body { ROOT c = s32[] parameter(0) }
ENTRY e { s = s32[] constant(0)  ROOT w = s32[] while(s), condition=always, body=body }`;

/** Compiled it takes no time, recorded very much. */
const COUNTING = `less { c = s32[] parameter(0)  n = s32[] constant(9000000)  ROOT t = pred[] compare(c, n), direction=LT }
more { c = s32[] parameter(0)  i = s32[] constant(1)  ROOT a = s32[] add(c, i) }
ENTRY e { s = s32[] constant(0)  ROOT w = s32[] while(s), condition=less, body=more }`;

let app: App;
let links: TestLink[];

beforeEach(() => {
  ({ app, links } = makeApp());
});

/** The options of the runs that the page asked for, in order. */
const runs = () =>
  links
    .flatMap(({ calls }) => calls.filter(({ method }) => method === "run"))
    .map((c) => c.args[1]);

async function runText(text: string): Promise<void> {
  writable(app.state).text.value = text;
  await run(app);
}

describe("a run", () => {
  it("is compiled first, then recorded; both say the same", async () => {
    await runText(PROGRAM);
    expect(runs()).toMatchObject([{ trace: false }, { trace: true }]);
    const { phase, results } = app.state;
    expect(phase.value).toBe("done");
    expect(results.value?.run.trace).toHaveLength(3);
    expect(results.value?.compiled?.trace).toEqual([]);
    expect(results.value?.compiled?.fingerprint).toBe(results.value?.run.fingerprint);
    expect(results.value?.compiled?.plan?.islands).toHaveLength(1);
  });

  it("shows the compiled result while the values are recorded, and keeps it when cancelled", async () => {
    const hangs = (method: string, args: readonly unknown[]): boolean =>
      method === "run" && (args[1] as { trace: boolean }).trace;
    const made: TestLink[] = [];
    const engines = new Engines(() => {
      made.push(new TestLink(hangs));
      return made.at(-1) as TestLink;
    });
    app = createApp(engines, views);
    writable(app.state).text.value = PROGRAM;
    const running = run(app);
    await vi.waitFor(() => expect(app.state.runPart.value).toBe("recording"));
    expect(app.state.phase.value).toBe("running");
    expect(app.state.results.value?.run.output?.shape).toContain("f32[64]");
    cancelRun(app);
    await running;
    expect(app.state.phase.value).toBe("done");
    expect(app.state.stale.value).toBe(false);
    const { run: kept } = app.state.results.value ?? {};
    const ref = { handle: kept?.handle ?? 0, entry: "output", path: [] };
    expect(await app.engines.results.call("valueText", [ref, 4])).toMatch(/^\{\d/);
  });

  it("is one part where a setting turns the other off", async () => {
    changeSettings(app, { recordValues: false });
    await runText(PROGRAM);
    expect(runs()).toMatchObject([{ trace: false }]);
    expect(app.state.results.value?.run.output).not.toBeNull();
    changeSettings(app, { recordValues: true, runCompiled: false });
    await run(app);
    expect(runs()).toHaveLength(2);
    expect(runs().at(-1)).toMatchObject({ trace: true });
    expect(app.state.results.value?.compiled).toBeNull();
    expect(app.state.results.value?.run.trace).toHaveLength(3);
  });

  it("keeps what was recorded until a limit, beside the result of the compiled run", async () => {
    changeSettings(app, { timeLimit: 0.4 });
    await runText(COUNTING);
    const { phase, results, runFaults } = app.state;
    expect(phase.value).toBe("done");
    expect(runFaults.value?.cause).toBe("recording");
    const shown = results.value?.run;
    expect(shown?.trace.length).toBeGreaterThan(0);
    const read = (entry: number | "output") => {
      const ref = { handle: shown?.handle ?? 0, entry, path: [] };
      return app.engines.results.call("valueText", [ref, 4]);
    };
    expect(await read("output")).toBe("9000000");
    expect(await read(shown?.trace[0]?.id ?? -1)).toBe("0");
    expect((await app.engines.script(COUNTING, {}, shown?.handle ?? 0)).ok).toBe(true);
    // The next run takes the place of both, in a worker that held one of them.
    const before = links.length;
    await runText(PROGRAM);
    await runText(PROGRAM);
    expect(links).toHaveLength(before);
    expect(results.value?.run.trace).toHaveLength(3);
  }, 20_000);

  it("asks for generated code once a program takes long, and records a glimpse of an endless one", async () => {
    changeSettings(app, { timeLimit: 0.6 });
    await runText(ENDLESS);
    expect(runs()).toMatchObject([
      { trace: false, timeLimit: 0.5 },
      { trace: false, timeLimit: 0.6, generatesCode: true },
      { trace: true, timeLimit: 0.6 },
    ]);
    expect(app.state.phase.value).toBe("failed");
    expect(runFaultsOf(app.state)[0]?.message).toContain("0.6 s");
    expect(app.state.results.value?.run.trace.length).toBeGreaterThan(0);
    await runText(PROGRAM);
    const again = runs().filter((options) => (options as { trace: boolean }).trace === false);
    expect(again.at(-1)).toMatchObject({ generatesCode: true });
  }, 20_000);
});

describe("a run that is refused for its inputs", () => {
  const TWO = `ENTRY e {
    s = s32[] parameter(0)
    x = f32[3] parameter(1)
    ROOT y = (s32[], f32[3]) tuple(s, x)
  }`;
  const faults = () => runFaultsOf(app.state).map(({ message }) => message.slice(0, 9));
  const give = (parameter: number, text: string) => setInput(app, parameter, { text, file: null });

  it("has the fault of an input until that input changes", async () => {
    writable(app.state).text.value = TWO;
    give(0, "no");
    give(1, "{1");
    await run(app);
    expect(app.state.phase.value).toBe("failed");
    expect(faults()).toEqual(["input 0 (", "input 1 ("]);
    give(1, "iota");
    expect(faults()).toEqual(["input 0 ("]);
    expect(app.state.phase.value).toBe("failed");
    give(0, "3");
    expect(faults()).toEqual([]);
    expect(app.state.runFaults.value).toBeNull();
    expect(app.state.phase.value).toBe("idle");
  });

  it("goes back to the last values, of before the change", async () => {
    await runText(TWO);
    expect(app.state.phase.value).toBe("done");
    give(0, "no");
    await run(app);
    expect(app.state.phase.value).toBe("failed");
    give(0, "3");
    expect(app.state.phase.value).toBe("done");
    expect(app.state.stale.value).toBe(true);
  });
});

describe("a program that takes a while, run again", () => {
  /** A page whose runs say that they took so many seconds. */
  function pageTaking(seconds: number): void {
    links = [];
    const engines = new Engines(() => {
      const link = new TestLink();
      const call = link.call.bind(link);
      vi.spyOn(link, "call").mockImplementation(async (method, args, options) => {
        const answer = await call(method, args, options);
        return method === "run" ? { ...(answer as RunResult), seconds } : (answer as never);
      });
      links.push(link);
      return link;
    });
    app = createApp(engines, views);
  }
  const compiled = () =>
    runs().filter(
      (options) =>
        (options as { fingerprint?: boolean; trace: boolean }).fingerprint &&
        !(options as { trace: boolean }).trace,
    );
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

  it("has generated code, from a build that is fetched meanwhile", async () => {
    pageTaking(0.2);
    await runText(PROGRAM);
    expect(compiled()).toMatchObject([{ timeLimit: 0.5 }]);
    await pause();
    await run(app);
    expect(compiled().at(-1)).toMatchObject({ generatesCode: true });
    expect(app.state.results.value?.run.trace).toHaveLength(3);
    // The worker that has the build runs whatever comes next.
    await run(app);
    const loaded = links.filter(({ calls }) =>
      calls.some(
        ({ method, args }) =>
          method === "run" && (args[1] as { generatesCode?: boolean }).generatesCode,
      ),
    );
    expect(loaded).toHaveLength(1);
  });

  it("fetches nothing where runs are short, or where data is to be saved", async () => {
    pageTaking(0.05);
    await runText(PROGRAM);
    await pause();
    await run(app);
    expect(runs().some((options) => (options as { generatesCode?: boolean }).generatesCode)).toBe(
      false,
    );
    pageTaking(0.2);
    vi.stubGlobal("navigator", { connection: { saveData: true } });
    try {
      await runText(PROGRAM);
      await pause();
      await run(app);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(runs().some((options) => (options as { generatesCode?: boolean }).generatesCode)).toBe(
      false,
    );
  });
});

describe("a run of an example", () => {
  const example = {
    id: "x",
    group: "begin",
    title: "",
    sentence: "",
    file: "",
    picture: [],
  } as const;
  /** A page whose engines never answer a check. */
  function uncheckedApp(): void {
    links = [];
    const engines = new Engines(() => {
      links.push(new TestLink((method) => method === "check"));
      return links.at(-1) as TestLink;
    });
    app = createApp(engines, views);
  }

  it("does not wait for the check: its inputs are known to fit", async () => {
    uncheckedApp();
    showExample(app, { ...example, inputs: ["iota"] }, PROGRAM);
    await vi.waitFor(() => expect(app.state.phase.value).toBe("done"));
    expect(runs()).toMatchObject([{ inputs: ["iota"] }, { inputs: ["iota"] }]);
  });

  it("waits where an input is another one for some devices: the check says how many there are", async () => {
    uncheckedApp();
    showExample(app, { ...example, inputs: ["iota; 0.0: zero"] }, PROGRAM);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(runs()).toEqual([]);
  });
});

describe("two runs of one program", () => {
  const compiled = engine.run(PROGRAM, { trace: false, fingerprint: true });
  const recorded = engine.run(PROGRAM, { trace: true, fingerprint: true });
  const failed = (code: string): RunResult => {
    const fault: Diagnostic = {
      code,
      severity: "error",
      range: [0, 1],
      message: code,
      notes: [],
      fixes: [],
    };
    return { ...recorded, ok: false, output: null, trace: [], diagnostics: [fault] };
  };

  it("that agree are done", () => {
    expect(combine(compiled, recorded)).toMatchObject({ phase: "done", faults: null, compiled });
  });

  it("that differ are a fault of the engine, which is said", () => {
    const made = combine(compiled, { ...recorded, fingerprint: "0" });
    expect(made).toMatchObject({ phase: "failed", faults: { cause: "difference" } });
    expect(made.faults?.run.ok).toBe(false);
    expect(made.faults?.run.diagnostics[0]?.message).toBe(words.run.differs);
    const other = combine(compiled, failed("runtime-error"));
    expect(other).toMatchObject({ phase: "failed", faults: { cause: "difference" } });
  });

  it("leave the result where recording meets a limit", () => {
    for (const code of ["time-exceeded", "memory-exceeded"]) {
      expect(combine(compiled, failed(code))).toMatchObject({
        phase: "done",
        faults: { cause: "recording" },
      });
    }
  });

  it("that fail alike have the faults of the program", () => {
    const both = combine(
      { ...failed("runtime-error"), fingerprint: "" },
      { ...failed("runtime-error"), fingerprint: "" },
    );
    expect(both).toMatchObject({ phase: "failed", faults: { cause: "run" } });
  });
});

describe("settings of the parts", () => {
  it("are read from links, and one of them stays on", () => {
    expect(readSettings({ recordValues: false })).toEqual({ recordValues: false });
    expect(readSettings({ runCompiled: false, recordValues: false })).toEqual({
      runCompiled: false,
    });
    expect(readSettings({ runCompiled: "no", recordValues: true })).toEqual({});
  });
  it("say how products are rounded and added, and by how many threads", () => {
    const read = { products: "tf32", multiplyAdd: "fused", threads: "one" } as const;
    expect(readSettings(read)).toEqual(read);
    expect(changedSettings({ ...DEFAULT_SETTINGS, ...read })).toEqual(read);
    expect(readSettings({ products: "", multiplyAdd: "separate" })).toEqual({});
    expect(readSettings({ multiplyAdd: true })).toEqual({});
  });
});

it("the parts of a plan are listed with islands first, then the slowest", () => {
  const plan = engine.run(PROGRAM, { trace: false }).plan;
  if (!plan) throw new Error("no plan");
  const [step] = plan.steps;
  if (!step) throw new Error("no step");
  const steps = [1, 3, 2].map((seconds) => ({ ...step, seconds }));
  const rows = planRows({ ...plan, steps, executor: { steps: 5, seconds: 9 } });
  expect(rows.map(({ how }) => how).slice(0, 2)).toEqual(["island", "executor"]);
  expect(rows.slice(2).map(({ seconds }) => seconds)).toEqual([3, 2, 1]);
});

describe("what else is asked while a program runs", () => {
  const hanging = (...methods: string[]) => {
    for (const link of links) link.hangs = (method) => methods.includes(method);
  };
  const settles = async (promise: Promise<unknown>): Promise<boolean> => {
    const late = new Promise((done) => setTimeout(() => done("late"), 20));
    const first = await Promise.race([promise.catch(() => "failed"), late]);
    return first !== "late";
  };

  it("is no part of the run: a comparison and a script go on when that is cancelled", async () => {
    await runText(PROGRAM);
    const made: TestLink[] = [];
    const engines = new Engines(() => {
      made.push(new TestLink((method) => method !== "check"));
      return made.at(-1) as TestLink;
    });
    const { signal } = new AbortController();
    const compared = engines.precision(PROGRAM, { as: "f32" }, "", signal);
    const script = engines.script(PROGRAM, {}, null);
    const ran = engines.run(PROGRAM, {});
    engines.cancelRun();
    await expect(ran).rejects.toThrow("cancelled");
    expect(await settles(compared)).toBe(false);
    expect(await settles(script)).toBe(false);
    const asked = made.flatMap((link) => link.calls.map(({ method }) => ({ method, link })));
    const of = (wanted: string) => asked.find(({ method }) => method === wanted)?.link;
    expect(new Set(["precision", "pythonScript", "run"].map(of)).size).toBe(3);
  });

  it("is not ended by a later run: a worker that still answers is not the next to run", async () => {
    await runText(PROGRAM);
    const held = links.find((link) => link === app.engines.results);
    const handle = app.state.results.value?.run.handle ?? 0;
    hanging("pythonScript");
    const script = app.engines.script(PROGRAM, {}, handle);
    for (let i = 0; i < 3; i++) await run(app);
    const before = held?.calls.length;
    await run(app);
    expect(held?.calls.length).toBe(before);
    expect(await settles(script)).toBe(false);
  });

  it("does not fail the run where its check is given up for a text that was typed since", async () => {
    for (const fits of [false, true]) {
      ({ app, links } = makeApp());
      hanging("check");
      writable(app.state).text.value = PROGRAM;
      for (const link of links.slice(1)) link.hangs = () => false;
      const running = run(app, fits);
      await new Promise((done) => setTimeout(done));
      links[0]?.cancel();
      await running;
      expect(app.state.phase.value).toBe("done");
      expect(app.state.notice.value).toBeNull();
    }
  });

  it("leaves no run under way whose check has failed", async () => {
    const [typing, runner] = links;
    if (!typing || !runner) throw new Error("no workers");
    typing.hangs = (method) => {
      if (method === "check") throw new Error("no answer");
      return false;
    };
    runner.hangs = (method) => method === "run";
    writable(app.state).text.value = PROGRAM;
    await run(app, true);
    expect(app.state.phase.value).toBe("failed");
    expect(runner.busy).toBe(false);
  });
});
