// Puts the functions of a WebAssembly module into an order in which similar ones are neighbours: gzip
// looks back 32 kB, and a program of two megabytes has its repetitions further apart. Those that are called
// from the most places come first: numbers below 128 take one byte. Nothing else changes.
//
//   node .ci/order_functions.mjs FILE.wasm
//
// Sections and instructions: WebAssembly core specification, binary format, and its proposals for
// exceptions, threads and relaxed SIMD. Where an instruction is unknown the file stays as it is.
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";

const SECTION = {
  custom: 0,
  import: 2,
  function: 3,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
};
const FUNCTION_KIND = 0;

class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  skip(count) {
    this.at += count;
  }
  /** An unsigned LEB128 number of at most 32 bits. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
  /** A LEB128 number of any width and sign, whose value nobody needs. */
  pass() {
    while (this.byte() >= 128);
  }
  passes(count) {
    for (let i = 0; i < count; ++i) this.pass();
  }
}

/** Bytes in pieces, and numbers among them. */
class Writer {
  #parts = [];
  copy(bytes) {
    this.#parts.push(bytes);
  }
  number(value) {
    const bytes = [];
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
    this.#parts.push(Uint8Array.from(bytes));
  }
  bytes() {
    return Buffer.concat(this.#parts);
  }
}

class UnknownInstruction extends Error {}

function passMemoryArgument(reader) {
  const alignment = reader.number();
  if (alignment & 64) reader.pass();
  reader.pass();
}

// Immediates of instructions with a prefix, by prefix: how the reader gets past them.
const PREFIXED = {
  252(reader, code) {
    if (code > 17) throw new UnknownInstruction();
    reader.passes(code < 8 ? 0 : [8, 10, 12, 14].includes(code) ? 2 : 1);
  },
  253(reader, code) {
    if (code <= 11 || code === 92 || code === 93) passMemoryArgument(reader);
    else if (code === 12 || code === 13) reader.skip(16);
    else if (code >= 21 && code <= 34) reader.skip(1);
    else if (code >= 84 && code <= 91) {
      passMemoryArgument(reader);
      reader.skip(1);
    }
  },
  254(reader, code) {
    if (code === 3) reader.skip(1);
    else passMemoryArgument(reader);
  },
};

/** Passes the immediates of an instruction that names no function. */
function passImmediates(reader, code) {
  if (code in PREFIXED) return PREFIXED[code](reader, reader.number());
  if (code >= 0x28 && code <= 0x3e) return passMemoryArgument(reader);
  if (code >= 0x45 && code <= 0xc4) return;
  switch (code) {
    case 0x00: // unreachable
    case 0x01: // nop
    case 0x05: // else
    case 0x0a: // throw_ref
    case 0x0b: // end
    case 0x0f: // return
    case 0x19: // catch_all
    case 0x1a: // drop
    case 0x1b: // select
    case 0xd1: // ref.is_null
      return;
    case 0x02: // block, loop, if, try: their type
    case 0x03:
    case 0x04:
    case 0x06:
    case 0x07: // catch, throw: a tag
    case 0x08:
    case 0x09: // rethrow, br, br_if, delegate: a depth
    case 0x0c:
    case 0x0d:
    case 0x18:
    case 0x14: // call_ref, return_call_ref: a type
    case 0x15:
    case 0x20: // locals, globals, tables
    case 0x21:
    case 0x22:
    case 0x23:
    case 0x24:
    case 0x25:
    case 0x26:
    case 0x3f: // size and growth of a memory
    case 0x40:
    case 0x41: // constants
    case 0x42:
    case 0xd0: // ref.null
      return reader.pass();
    case 0x0e: // br_table
      return reader.passes(reader.number() + 1);
    case 0x11: // indirect calls: a type and a table
    case 0x13:
      return reader.passes(2);
    case 0x1c: // select with types
      return reader.passes(reader.number());
    case 0x1f: // try_table
      reader.pass();
      for (let i = reader.number(); i > 0; --i) reader.passes(reader.byte() < 2 ? 2 : 1);
      return;
    case 0x43:
      return reader.skip(4);
    case 0x44:
      return reader.skip(8);
    default:
      throw new UnknownInstruction(`0x${code?.toString(16)}`);
  }
}

const NAMES_FUNCTION = new Set([0x10, 0x12, 0xd2]); // call, return_call, ref.func

/** Visits each number of a function in the instructions up to `end`: where it stands, and the number. */
function forEachNamed(reader, end, visit) {
  while (reader.at < end) {
    const code = reader.byte();
    if (!NAMES_FUNCTION.has(code)) {
      passImmediates(reader, code);
      continue;
    }
    const at = reader.at;
    visit(at, reader.number());
  }
}

/** Copies instructions from the reader's place to `end`, with other numbers of functions. */
function renumber(reader, end, numbers, out) {
  let copied = reader.at;
  forEachNamed(reader, end, (at, number) => {
    out.copy(reader.bytes.subarray(copied, at));
    out.number(numbers[number]);
    copied = reader.at;
  });
  out.copy(reader.bytes.subarray(copied, end));
}

/** A reader at the instructions of a body: behind its size and its locals. */
function atCode(sized) {
  const reader = new Reader(sized);
  reader.pass();
  for (let i = reader.number(); i > 0; --i) reader.passes(2);
  return reader;
}

/** Past an initial value: instructions up to their `end`. */
function passExpression(reader) {
  for (let code = reader.byte(); code !== 0x0b; code = reader.byte()) {
    if (NAMES_FUNCTION.has(code)) reader.pass();
    else passImmediates(reader, code);
  }
}

function sectionsOf(bytes) {
  const reader = new Reader(bytes, 8);
  const sections = [];
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.number();
    sections.push({ id, bytes: bytes.subarray(reader.at, reader.at + size) });
    reader.skip(size);
  }
  return sections;
}

/** How many functions are imported: they have the first numbers, and keep them. */
function countImported(bytes) {
  const reader = new Reader(bytes);
  let functions = 0;
  for (let i = reader.number(); i > 0; --i) {
    for (let k = 0; k < 2; ++k) reader.skip(reader.number());
    const kind = reader.byte();
    if (kind === FUNCTION_KIND) functions++;
    if (kind === 1 || kind === 3) reader.skip(1); // the type of a table or global
    if (kind === 4) reader.skip(1);
    if (kind === 3) reader.skip(1);
    else if (kind === 1 || kind === 2) reader.passes(reader.byte() & 1 ? 2 : 1);
    else reader.pass();
  }
  return functions;
}

function vectorOf(bytes, read) {
  const reader = new Reader(bytes);
  return Array.from({ length: reader.number() }, () => {
    const start = reader.at;
    read(reader);
    return bytes.subarray(start, reader.at);
  });
}

const bodiesOf = (bytes) => vectorOf(bytes, (reader) => reader.skip(reader.number()));

// ---- The order ----------------------------------------------------------------------------------

const GRAM = 6;
const HASHES = 64;
/** What so many functions share says nothing. */
const COMMON = 800;
/**
 * How many functions before are looked at, and how many of their hashes have to be shared on average.
 * Which is best differs from build to build by 2 kB: all are tried.
 */
const TRIED = [3, 4, 5].flatMap((lookedBack) =>
  [3, 4].map((leastShared) => ({ lookedBack, leastShared })),
);

/** For each hash function the least hash of any six bytes in a row: similar bodies share many. */
function signature(body) {
  const least = new Uint32Array(HASHES).fill(0xffffffff);
  for (let i = 0; i + GRAM <= body.length; ++i) {
    let hash = 0x811c9dc5;
    for (let k = 0; k < GRAM; ++k) hash = Math.imul(hash ^ body[i + k], 0x01000193);
    for (let h = 0; h < HASHES; ++h) {
      let x = Math.imul(hash ^ Math.imul(h, 0x9e3779b1), 0x85ebca6b);
      x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0;
      if (x < least[h]) least[h] = x;
    }
  }
  return least;
}

/** How many functions can have a number of one byte. */
const SHORT_NUMBERS = 128;

/** Which functions are named most often in others, as many as have short numbers. */
function mostNamed(bodies, imported) {
  const times = new Uint32Array(imported + bodies.length);
  for (const sized of bodies) {
    forEachNamed(atCode(sized), sized.length, (_, number) => times[number]++);
  }
  const all = bodies.map((_, i) => i);
  all.sort((a, b) => times[imported + b] - times[imported + a]);
  return new Set(all.slice(0, Math.max(0, SHORT_NUMBERS - imported)));
}

/** Each next function is the one most like the last ones; where none is, the first that is left. */
function similarityOrder(signatures, { lookedBack, leastShared }) {
  const sharing = new Map();
  const keyOf = (i, h) => h * 2 ** 32 + signatures[i][h];
  signatures.forEach((_, i) => {
    for (let h = 0; h < HASHES; ++h) {
      const list = sharing.get(keyOf(i, h));
      if (list) list.push(i);
      else sharing.set(keyOf(i, h), [i]);
    }
  });
  const placed = new Uint8Array(signatures.length);
  const mostLike = (last) => {
    const shared = new Map();
    for (const i of last) {
      for (let h = 0; h < HASHES; ++h) {
        const list = sharing.get(keyOf(i, h));
        if (list.length > COMMON) continue;
        for (const j of list) if (!placed[j]) shared.set(j, (shared.get(j) ?? 0) + 1);
      }
    }
    let best = -1;
    let most = leastShared * last.length;
    for (const [j, count] of shared) {
      if (count > most) [best, most] = [j, count];
    }
    return best;
  };
  const order = [];
  for (let next = 0; order.length < signatures.length; ) {
    let chosen = mostLike(order.slice(-lookedBack));
    if (chosen < 0) {
      while (placed[next]) next++;
      chosen = next;
    }
    placed[chosen] = 1;
    order.push(chosen);
  }
  return order;
}

// ---- The module ---------------------------------------------------------------------------------

/** `order[i]`: which of the functions that are not imported comes i-th. */
function reordered(module, order, imported) {
  const numbers = Array.from({ length: imported }, (_, i) => i);
  order.forEach((old, i) => {
    numbers[imported + old] = imported + i;
  });
  const inOrder = (parts, out) => {
    out.number(parts.length);
    for (const i of order) out.copy(parts[i]);
  };
  const rewrite = {
    [SECTION.function](bytes, out) {
      inOrder(
        vectorOf(bytes, (reader) => reader.pass()),
        out,
      );
    },
    [SECTION.global](bytes, out) {
      const reader = new Reader(bytes);
      const count = reader.number();
      out.copy(bytes.subarray(0, reader.at));
      for (let i = 0; i < count; ++i) {
        out.copy(bytes.subarray(reader.at, reader.at + 2));
        reader.skip(2);
        const start = reader.at;
        passExpression(reader);
        renumber(new Reader(bytes, start), reader.at, numbers, out);
      }
    },
    [SECTION.export](bytes, out) {
      const reader = new Reader(bytes);
      out.number(reader.number());
      while (reader.at < bytes.length) {
        const start = reader.at;
        reader.skip(reader.number());
        const kind = reader.byte();
        out.copy(bytes.subarray(start, reader.at));
        const number = reader.number();
        out.number(kind === FUNCTION_KIND ? numbers[number] : number);
      }
    },
    [SECTION.start](bytes, out) {
      out.number(numbers[new Reader(bytes).number()]);
    },
    [SECTION.element](bytes, out) {
      const reader = new Reader(bytes);
      out.number(reader.number());
      while (reader.at < bytes.length) {
        const start = reader.at;
        // Only what linkers write: functions by number, placed in the first table.
        if (reader.number() !== 0) throw new UnknownInstruction("element segment");
        passExpression(reader);
        const count = reader.number();
        out.copy(bytes.subarray(start, reader.at));
        for (let i = 0; i < count; ++i) out.number(numbers[reader.number()]);
      }
    },
    [SECTION.code](bytes, out) {
      const bodies = bodiesOf(bytes).map((sized) => {
        const size = new Reader(sized);
        size.pass();
        const start = size.at;
        const body = atCode(sized);
        const code = new Writer();
        code.copy(sized.subarray(start, body.at));
        renumber(body, sized.length, numbers, code);
        const written = new Writer();
        written.number(code.bytes().length);
        written.copy(code.bytes());
        return written.bytes();
      });
      inOrder(bodies, out);
    },
  };
  const out = new Writer();
  out.copy(module.subarray(0, 8));
  for (const { id, bytes } of sectionsOf(module)) {
    if (id === SECTION.custom) continue; // names, which are others now
    const section = new Writer();
    if (id in rewrite) rewrite[id](bytes, section);
    else section.copy(bytes);
    out.copy(Uint8Array.of(id));
    out.number(section.bytes().length);
    out.copy(section.bytes());
  }
  return out.bytes();
}

const [file] = process.argv.slice(2);
const module = readFileSync(file);
const sections = sectionsOf(module);
const of = (id) => sections.find((section) => section.id === id)?.bytes;
try {
  const bodies = bodiesOf(of(SECTION.code));
  const signatures = bodies.map(signature);
  const imported = countImported(of(SECTION.import));
  const often = mostNamed(bodies, imported);
  /** What becomes of an order in each of the ways, the smallest first. */
  const triedFrom = (order) =>
    TRIED.map((how) => {
      const similar = similarityOrder(
        order.map((i) => signatures[i]),
        how,
      ).map((i) => order[i]);
      const all = [...similar.filter((i) => often.has(i)), ...similar.filter((i) => !often.has(i))];
      const made = reordered(module, all, imported);
      return { similar, made, size: gzipSync(made, { level: 9 }).length };
    }).sort((a, b) => a.size - b.size);
  // An order depends on the one it begins with, and so a second turn is often better by 1 kB.
  const [first] = triedFrom(bodies.map((_, i) => i));
  const [second] = triedFrom(first.similar);
  writeFileSync(file, (second.size < first.size ? second : first).made);
} catch (error) {
  if (!(error instanceof UnknownInstruction)) throw error;
  console.warn(`${file}: functions stay in their order (unknown: ${error.message})`);
}
