/** Archives and dumps: what is unpacked, in which order it is shown, and what is refused. */
import { gzipSync, zipSync } from "fflate";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dismissNotice, loadProgram } from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { unpack } from "../../web/src/app/archives";
import { decode } from "../../web/src/app/decoding";
import { openDump } from "../../web/src/app/dumps";
import { selectTab } from "../../web/src/app/file_tabs";
import { keptTabs, readAhead, restoredTabs } from "../../web/src/app/kept_tabs";
import { openPrograms, pairsAround, readOpenFile } from "../../web/src/app/open_files";
import { shortened } from "../../web/src/app/stages";
import { type DumpEntry, writable } from "../../web/src/app/state";
import type { Work } from "../../web/src/app/work";
import { makeApp } from "./mounted";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const entry = (name: string, bytes: Uint8Array): DumpEntry => ({ name, read: async () => bytes });

/** A tar file of one entry. */
function tar(name: string, text: string, kind = "0"): Uint8Array {
  const bytes = new Uint8Array(2048);
  bytes.set(encode(name), 0);
  bytes.set(encode(text.length.toString(8).padStart(11, "0")), 124);
  bytes.set(encode(kind), 156);
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

  it("of tar may have names of any length", async () => {
    const name = `dump/module_0001.jit_step.${"x".repeat(90)}.after_optimizations.txt`;
    const path = `${name.length + 10} path=${name}\n`;
    for (const before of [tar("././@LongLink", `${name}\0`, "L"), tar("PaxHeader", path, "x")]) {
      const both = new Uint8Array(4096);
      both.set(before.subarray(0, 1024), 0);
      both.set(tar(name.slice(0, 100), "long").subarray(0, 1024), 1024);
      both.set(tar("short.txt", "short").subarray(0, 1024), 2048);
      expect(await texts(both, "d.tar")).toEqual([
        [name, "long"],
        ["short.txt", "short"],
      ]);
    }
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

  it("keeps what is written while another file is read", async () => {
    let read = (): void => undefined;
    const slow = new Promise<void>((done) => {
      read = done;
    });
    await openDump(app, [
      entry("module_0001.jit_f.before_optimizations.txt", encode("first")),
      {
        name: "module_0001.jit_f.after_optimizations.txt",
        size: 6,
        read: async () => {
          await slow;
          return encode("second");
        },
      },
    ]);
    selectTab(app, 1);
    writable(app.state).text.value = "first, and more";
    read();
    await vi.waitFor(() => expect(app.state.text.value).toBe("second"));
    selectTab(app, 0);
    await vi.waitFor(() => expect(app.state.text.value).toBe("first, and more"));
  });

  it("with nothing to show changes nothing", async () => {
    await expect(open(["a.png", "b.jpg"])).rejects.toThrow("no file in it");
    expect(app.state.text.value).toBe("before");
    await open(["only.txt"]);
    expect(app.state.fileTabs.value).toBeNull();
    expect(app.state.text.value).toBe("text of only.txt");
  });

  /** What a page that is opened later has of the files; `id`: that of a dump it does not know. */
  const revisited = (dump: string | undefined): ReturnType<typeof restoredTabs> => {
    const kept = keptTabs(app.state.fileTabs.value).fileTabs as NonNullable<Work["fileTabs"]>;
    return restoredTabs(app, { ...kept, dump: dump ?? kept.dump ?? "" }, app.state.text.value);
  };

  it("is kept whole with the work, also what nobody has looked at", async () => {
    const names = Array.from({ length: 15 }, (_, i) => `module_0001.jit_f.${1000 + i}.pass.txt`);
    await open(names);
    expect(revisited("another visit").files.length).toBe(1);
    expect(revisited("another visit").missing).toBe(14);
    await readAhead(app);
    const later = revisited("another visit");
    expect(later.tabs.map(({ name }) => name)).toEqual(names.slice(0, 12));
    expect(later.files.map(({ name }) => name)).toEqual(names);
    expect(later.missing).toBe(0);
    expect((await decode(app, later.files[14] as DumpEntry)).text).toBe(`text of ${names[14]}`);
  });

  it("of which some is too large to keep says how many files are missing", async () => {
    const large = new Uint8Array(9 * 2 ** 20).fill(32);
    const read = vi.fn(async () => large);
    const name = (stage: string): string => `module_0001.jit_f.${stage}.txt`;
    await openDump(app, [
      entry(name("before_optimizations"), encode("a")),
      { name: name("0001.x"), size: large.length, read },
      entry(name("after_optimizations"), encode("c")),
    ]);
    await readAhead(app);
    expect(read).not.toHaveBeenCalled();
    const later = revisited("another visit");
    expect(later.tabs.map(({ title }) => title)).toEqual([
      "before_optimizations",
      "after_optimizations",
    ]);
    expect(later.missing).toBe(1);
    // Whoever goes back in the same page has all of them.
    const here = revisited(undefined);
    expect(here.tabs.length).toBe(3);
    expect(here.files).toBe(app.state.fileTabs.value?.files);
  });

  it("offers its programs to compare with, each with the one before it of its module", async () => {
    const names = [
      "module_0001.jit_f.before_optimizations.txt",
      "module_0001.jit_f.after_optimizations.txt",
      "module_0001.jit_f.after_optimizations-buffer-assignment.txt",
      "module_0002.jit_g.before_optimizations.txt",
      "module_0002.jit_g.after_optimizations.txt",
    ];
    await open(names);
    const { fileTabs } = app.state;
    expect(openPrograms(fileTabs.value).map(({ name }) => name)).toEqual(
      names.filter((name) => !name.includes("assignment")),
    );
    expect(pairsAround(fileTabs.value).here).toBeNull();
    expect(pairsAround(fileTabs.value).next?.after.name).toBe(names[1]);
    selectTab(app, 3);
    await vi.waitFor(() => expect(fileTabs.value?.selected).toBe(3));
    const { here, previous, next } = pairsAround(fileTabs.value);
    expect(here).toBeNull();
    expect(previous?.after.name).toBe(names[1]);
    expect(next?.before.name).toBe(names[3]);
    // One that was not shown is read when it is asked for.
    expect(fileTabs.value?.tabs[4]?.text).toBeNull();
    expect(await readOpenFile(app, names[4] ?? "")).toBe(`text of ${names[4]}`);
  });

  it("has titles of which the tabs show what differs", () => {
    const seen = (titles: string[]): string[] =>
      shortened(titles).map((parts) =>
        parts.map(({ text, hidden }) => (hidden ? "" : text)).join(""),
      );
    const titles = [
      "before_optimizations",
      "0001.simplification.after_algsimp.before_dce",
      "sm_8.0_gpu_after_optimizations",
      "2.jit_g 0003.fusion.after_fusion.before_cse",
    ];
    expect(seen(titles)).toEqual([
      "before_optimizations",
      "0001.algsimp",
      "after_optimizations",
      "2.jit_g 0003.fusion",
    ]);
    for (const [at, parts] of shortened(titles).entries()) {
      expect(parts.map(({ text }) => text).join("")).toBe(titles[at]);
    }
    const alike = ["0001.a.after_x.before_y", "0001.b.after_x.before_y"];
    expect(seen(alike)).toEqual(alike);
  });
});

describe("a file to compare with", () => {
  it("is read like one that is opened; an archive of several is refused", async () => {
    const { app } = makeApp();
    const packed = entry("p.hlo.gz", gzipSync(encode("HloModule m")));
    expect((await decode(app, packed)).text).toBe("HloModule m");
    for (const [littleEndian, mark] of [
      [true, [0xff, 0xfe]],
      [false, [0xfe, 0xff]],
    ] as const) {
      const text = "HloModule wide";
      const bytes = new Uint8Array(2 + 2 * text.length);
      bytes.set(mark);
      for (const [i, letter] of [...text].entries()) {
        new DataView(bytes.buffer).setUint16(2 + 2 * i, letter.charCodeAt(0), littleEndian);
      }
      const entry = { name: "powershell.txt", read: async () => bytes };
      expect((await decode(app, entry)).text).toBe(text);
    }
    const snapshot = entry(
      "p.pbtxt",
      encode(`hlo { hlo_module { name: "snap" computations { name: "e" id: 1 root_id: 1
        instructions { name: "p" opcode: "parameter" id: 1 shape { element_type: S32 } }
      } } }`),
    );
    expect((await decode(app, snapshot)).text).toContain("HloModule snap");
    const several = entry("d.zip", zipSync({ "a.txt": encode("a"), "b.txt": encode("b") }));
    await expect(decode(app, several)).rejects.toThrow("d.zip holds 2 files");
  });
});
