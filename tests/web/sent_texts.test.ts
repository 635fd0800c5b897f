/** A long text is sent once; then it is named, and what changes in it is sent. */
import { describe, expect, it } from "vitest";
import { EngineClient } from "../../wasm/client";
import type { DocumentRef, TextChange } from "../../wasm/engine_api";
import { wellFormed } from "../../wasm/guard";
import type { Reply, Request } from "../../wasm/protocol";
import { changeOf, SentTexts } from "../../wasm/sent_texts";
import { engine } from "./engine";
import { Random } from "./random";

const LONG = "  v = f32[2] add(p, q)\n".repeat(1000);

function apply(text: string, { from, to, insert }: TextChange): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/** What a worker makes of what it is told. */
class Told {
  sent = 0;

  ask(texts: SentTexts, text: string): string {
    const { text: named, update } = texts.refer(text);
    if (update?.method === "open") {
      engine.open(...update.args);
      this.sent += update.args[1].length;
    } else if (update) {
      expect(engine.edit(...update.args)).toBe(true);
      for (const { insert } of update.args[1]) this.sent += insert.length;
    }
    return typeof named === "string" ? named : engine.text(named);
  }
}

describe("the texts that a worker has", () => {
  it("are what is asked about, whatever is asked about in between", () => {
    const random = new Random(7);
    const [texts, told] = [new SentTexts(), new Told()];
    let all = [LONG, LONG.replaceAll("add", "subtract"), "short", "module {}\n".repeat(900)];
    for (let i = 0; i < 300; i++) {
      const which = random.below(all.length);
      const text = all[which] ?? "";
      const from = random.below(text.length);
      const to = Math.min(text.length, from + random.below(20));
      const next = apply(text, { from, to, insert: ["x", "\u{1F600}", "", "ab\n"][i % 4] ?? "" });
      all = all.map((old, k) => (k === which ? next : old));
      expect(wellFormed(told.ask(texts, next))).toBe(wellFormed(next));
    }
  });

  it("are sent once, then as changes, and an unchanged text never", () => {
    const [texts, told] = [new SentTexts(), new Told()];
    told.ask(texts, LONG);
    expect(told.sent).toBe(LONG.length);
    told.ask(texts, LONG);
    expect(texts.refer(LONG).update).toBeUndefined();
    told.ask(texts, `${LONG}x`);
    told.ask(texts, `// c\n${LONG}x`);
    expect(told.sent).toBe(LONG.length + "x".length + "// c\n".length);
    texts.forget();
    expect(texts.refer(LONG).update?.method).toBe("open");
  });

  it("never cut a pair of surrogates", () => {
    const [a, b] = ["x\u{1F600}y".repeat(9), "x\u{1F601}y".repeat(9)];
    const change = changeOf(a, b);
    expect(apply(a, change)).toBe(b);
    expect(changeOf("\u{1F600}", "\u{1F601}")).toEqual({ from: 0, to: 2, insert: "\u{1F601}" });
    expect(changeOf("\u{1F600}", "\u{1FA00}")).toEqual({ from: 0, to: 2, insert: "\u{1FA00}" });
  });
});

describe("EngineClient", () => {
  it("opens a text again where the worker was replaced, or does not know it", async () => {
    const got: Request[] = [];
    const workers: Worker[] = [];
    const client = new EngineClient(() => {
      const worker = { postMessage: (request: Request) => got.push(request), terminate() {} };
      workers.push(worker as unknown as Worker);
      return worker as unknown as Worker;
    });
    const answer = (reply: object): void => {
      const data = { id: got.at(-1)?.id ?? 0, ...reply } as Reply;
      workers.at(-1)?.onmessage?.({ data } as MessageEvent<Reply>);
    };
    const updates = () => got.map(({ update }) => update?.method ?? "");
    const named: DocumentRef = { $document: 1 };

    const first = client.call("format", [LONG]);
    answer({ ok: true, value: "1" });
    await first;
    const second = client.call("format", [LONG]);
    expect(got.at(-1)?.args).toEqual([named]);
    answer({ ok: false, message: "no such document", fatal: false, unknown: true });
    answer({ ok: true, value: "2" });
    expect(await second).toBe("2");
    expect(updates()).toEqual(["open", "", "open"]);

    const controller = new AbortController();
    const given = client.call("format", [`${LONG}y`], { signal: controller.signal });
    controller.abort();
    await expect(given).rejects.toThrow();
    const third = client.call("format", [`${LONG}z`]);
    answer({ ok: true, value: "3" });
    expect(await third).toBe("3");
    expect(updates()).toEqual(["open", "", "open", "edit", "open"]);
    expect(workers).toHaveLength(2);
  });
});
