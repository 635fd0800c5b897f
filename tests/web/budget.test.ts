/** What the page weighs, read from the built folder. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";

const dist = join(__dirname, "../../dist");
const kB = 1000;

const gzipped = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length;

function assets(): string[] {
  const folder = join(dist, "assets");
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Scripts and styles that index.html names: what is fetched before anything is shown. */
function firstLoad(): string[] {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  return [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) =>
    join(dist, match[1] ?? ""),
  );
}

const built = existsSync(join(dist, "index.html"));
if (!built) console.warn("dist/ is absent: run `make dist`; the budget tests are skipped.");

describe.skipIf(!built)("the built page", () => {
  it("loads at most 170 kB of script and style", () => {
    const files = firstLoad();
    expect(files.length).toBeGreaterThanOrEqual(2);
    const size = files.reduce((sum, file) => sum + gzipped(file), 0);
    expect(size).toBeLessThanOrEqual(170 * kB);
  });

  it("loads at most 700 kB of engine, and the full build only when it is needed", () => {
    const first = /\/engine-[^/]*\.wasm$|\/worker[^/]*\.js$/;
    const engine = assets().filter((file) => first.test(file));
    expect(engine.length).toBe(2);
    const full = assets().filter((file) => /\/engine_full[^/]*\.(wasm|js)$/.test(file));
    expect(full.length).toBe(2);
    const size = engine.reduce((sum, file) => sum + gzipped(file), 0);
    expect(size).toBeLessThanOrEqual(700 * kB);
  });

  it("asks for nothing by an absolute address", () => {
    const html = readFileSync(join(dist, "index.html"), "utf8");
    expect(html).not.toMatch(/(?:src|href)="(?:\/|https?:)/);
    expect(html).toContain("Content-Security-Policy");
    expect(html).not.toMatch(/unsafe-inline|'unsafe-eval'/);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=/);
    expect(statSync(join(dist, "index.html")).size).toBeLessThan(4 * kB);
  });
});
