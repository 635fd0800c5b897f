/** Archives and dumps: what is unpacked, in which order it is shown, and what is refused. */
import { gzipSync, zipSync } from "fflate";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dismissNotice, loadProgram } from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { unpack } from "../../web/src/app/archives";
import { openDump, selectTab } from "../../web/src/app/dumps";
import type { DumpEntry } from "../../web/src/app/state";
import { makeApp } from "./mounted";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const entry = (name: string, bytes: Uint8Array): DumpEntry => ({ name, read: async () => bytes });

/** A tar file of one file. */
function tar(name: string, text: string): Uint8Array {
  const bytes = new Uint8Array(2048);
  bytes.set(encode(name), 0);
  bytes.set(encode(text.length.toString(8).padStart(11, "0")), 124);
  bytes.set(encode("0"), 156);
  bytes.set(encode("ustar"), 257);
  bytes.set(encode(text), 512);
  return bytes;
}

const texts = async (bytes: Uint8Array, name: string): Promise<[string, string][]> => {
  const files = await unpack(entry(name, bytes));
  return Promise.all(
    files.map(
      async (file): Promise<[string, string]> => [
        file.name,
        new TextDecoder().decode(await file.read()),
      ],
    ),
  );
};

describe("archives", () => {
  it("are told by content", async () => {
    const zip = zipSync({
      "a/x.txt": encode("x".repeat(1000)),
      "b.txt": [encode("b"), { level: 0 }],
    });
    expect(await texts(zip, "any.bin")).toEqual([
      ["a/x.txt", "x".repeat(1000)],
      ["b.txt", "b"],
    ]);
    expect(await texts(gzipSync(encode("hello")), "h.txt.gz")).toEqual([["h.txt", "hello"]]);
    expect(await texts(tar("t.txt", "in tar"), "t.tar")).toEqual([["t.txt", "in tar"]]);
    expect(await texts(gzipSync(tar("t.txt", "in tgz")), "t.tgz")).toEqual([["t.txt", "in tgz"]]);
    expect(await texts(encode("plain"), "p.txt")).toEqual([["p.txt", "plain"]]);
  });

  it("that are broken, or nested too deep, are refused in words", async () => {
    const zip = zipSync({ "a.txt": encode("x".repeat(1000)) });
    await expect(texts(zip.subarray(0, 60), "a.zip")).rejects.toThrow(
      "a.zip is cut off or damaged",
    );
    await expect(texts(encode("no zip"), "a.zip")).rejects.toThrow("damaged");
    const damaged = zip.slice();
    damaged.fill(255, 40, 48);
    await expect(texts(damaged, "a.zip")).rejects.toThrow("damaged");
    const [lying] = await unpack(entry("bomb.zip", zip));
    expect(lying?.name).toBe("a.txt");
    const thrice = gzipSync(gzipSync(gzipSync(encode("x"))));
    await expect(texts(thrice, "x.gz")).rejects.toThrow("archive in an archive");
  });
});

describe("a dump", () => {
  let app: App;
  beforeEach(() => {
    localStorage.clear();
    app = makeApp().app;
    loadProgram(app, { text: "before" });
  });
  const open = (names: readonly string[]): Promise<void> =>
    openDump(
      app,
      names.map((name) => entry(name, encode(`text of ${name}`))),
    );
  const titles = (): (string | undefined)[] | undefined =>
    app.state.fileTabs.value?.tabs.map(({ title }) => title);

  it("is shown by module and stage", async () => {
    await open([
      "d/module_0010.jit_b.before_optimizations.txt",
      "d/module_0002.jit_a.cpu_after_optimizations-memory-usage-report.txt",
      "d/module_0002.jit_a.cpu_after_optimizations.txt",
      "d/module_0002.jit_a.0003.simplify.txt",
      "d/module_0002.jit_a.before_optimizations.txt",
      "d/picture.png",
    ]);
    expect(titles()).toEqual([
      "2.jit_a before_optimizations",
      "2.jit_a 0003.simplify",
      "2.jit_a cpu_after_optimizations",
      "2.jit_a cpu_after_optimizations-memory-usage-report",
      "10.jit_b before_optimizations",
    ]);
    expect(app.state.text.value).toBe("text of d/module_0002.jit_a.before_optimizations.txt");
    expect(app.state.fileTabs.value?.files.length).toBe(6);
  });

  it("of hundreds of files has some of them as tabs, and reads one", async () => {
    const read: string[] = [];
    await openDump(
      app,
      Array.from({ length: 400 }, (_, i) => ({
        name: `module_0001.jit_f.${`${i}`.padStart(4, "0")}.pass.txt`,
        read: async () => {
          read.push(`${i}`);
          return encode("HloModule m");
        },
      })),
    );
    expect(titles()?.length).toBe(12);
    expect(new Set(read)).toEqual(new Set(["0"]));
  });

  it("says what could not be read of a file, once its program is shown", async () => {
    const { results } = app.engines;
    const text = "HloModule m";
    const answer = { ok: true, text, inputs: [], arrays: [], bufferAssignment: "" };
    results.call = (async () => ({ ...answer, problems: ["a part is missing"] })) as never;
    await open(["module_0001.jit_f.before_optimizations.pb", "module_0002.jit_g.x.pb"]);
    expect(app.state.text.value).toBe(text);
    expect(app.state.notice.value?.text).toBe("a part is missing");
    dismissNotice(app);
    selectTab(app, 1);
    await vi.waitFor(() => expect(app.state.notice.value?.text).toBe("a part is missing"));
    expect(app.state.fileTabs.value?.selected).toBe(1);
  });

  it("with nothing to show changes nothing", async () => {
    await expect(open(["a.png", "b.jpg"])).rejects.toThrow("no file in it");
    expect(app.state.text.value).toBe("before");
    await open(["only.txt"]);
    expect(app.state.fileTabs.value).toBeNull();
    expect(app.state.text.value).toBe("text of only.txt");
  });
});
