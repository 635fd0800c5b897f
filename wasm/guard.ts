/**
 * Between the typed API and the Embind module: what goes in is well-formed, and what is thrown is
 * an Error. A module that trapped, or threw something other than an Error, was interrupted with its
 * stack and heap in an undefined state, so that no later answer can be trusted.
 */

/** The engine trapped, or ran out of stack or memory, and cannot go on. */
export class BrokenEngineError extends Error {
  override readonly name = "BrokenEngineError";
}

/** Errors of the glue code about an argument: the engine has not run yet. */
const HARMLESS = ["BindingError", "UnboundTypeError", "TypeError"];

function words(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (thrown instanceof WebAssembly.Exception) return "an exception that nothing caught";
  return String(thrown);
}

/** Any thrown value, as an Error with the same message. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(words(thrown));
}

function isHarmless(thrown: unknown): thrown is Error {
  return thrown instanceof Error && HARMLESS.includes(thrown.name);
}

/** Replaces lone surrogates, which UTF-8 cannot encode, by the replacement character. */
export function wellFormed(text: string): string {
  const modern = text as string & { toWellFormed?(): string };
  if (modern.toWellFormed) return modern.toWellFormed();
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length === 2 ? found : "\ufffd",
  );
}

/** A function as the binary exports it: what the glue has under its name looks it up at every call. */
function exported(module: object, key: string): ((a: number) => number) | undefined {
  const { asm } = module as { asm?: Record<string, (a: number) => number> };
  return asm?.[key.slice(1)];
}

/**
 * The same module with functions that throw only Errors. Texts go in with lone surrogates replaced
 * by U+FFFD, which has the same length, so that offsets are preserved; the glue would combine one
 * with the character that follows it. After a failure that is not about an argument every function
 * throws a BrokenEngineError. Functions of the binary itself (`_name`) take numbers alone.
 */
export function guarded<M extends object>(module: M): M {
  let broken: string | null = null;
  const refuse = (): never => {
    throw new BrokenEngineError(
      `This engine is broken since an earlier call failed (${broken}); make a new one with createEngine().`,
    );
  };
  const fail = (thrown: unknown): never => {
    if (isHarmless(thrown)) throw thrown;
    broken = words(thrown);
    throw new BrokenEngineError(`The engine failed: ${broken}`, { cause: thrown });
  };
  const guard =
    (call: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      if (broken !== null) refuse();
      try {
        return call.apply(
          module,
          args.map((arg) => (typeof arg === "string" ? wellFormed(arg) : arg)),
        );
      } catch (thrown) {
        return fail(thrown);
      }
    };
  const guardBare =
    (call: (a: number, b: number, c: number) => number) =>
    (a: number, b: number, c: number): number => {
      if (broken !== null) refuse();
      try {
        return call(a, b, c);
      } catch (thrown) {
        return fail(thrown);
      }
    };
  const made = new Map<PropertyKey, unknown>();
  return new Proxy(module, {
    get(target, key) {
      const member = Reflect.get(target, key) as unknown;
      if (typeof member !== "function") return member;
      const known = made.get(key);
      if (known) return known;
      const isBare = typeof key === "string" && key.startsWith("_");
      const wrapped = isBare
        ? guardBare(exported(target, key) ?? (member as (a: number) => number))
        : guard(member as (...args: unknown[]) => unknown);
      made.set(key, wrapped);
      return wrapped;
    },
  });
}
