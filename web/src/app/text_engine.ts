/**
 * The engine that answers about the program in the editor, and about layouts. A slow text does not
 * hold up the next one: when the text changes, calls about earlier ones that are still running are
 * cancelled with their worker. A text that takes too long by itself is given up too, and not sent
 * again until it changes.
 */
import { isAboutText } from "../../../wasm/calls";
import type { EngineApi } from "../../../wasm/engine_api";
import { words } from "../strings";
import type { EngineCallOptions, EngineLink } from "./engine_link";

/** Time limit of a call about an earlier text: most end in time. */
export const GRACE_MS = 1000;
/** Time limit of a call about the text in the editor. */
export const PATIENCE_MS = 15_000;

/** This text took too long and is not sent again. */
export class TooSlowError extends Error {
  override readonly name = "TooSlowError";
  constructor() {
    super(words.app.tooSlow);
  }
}

interface Pending {
  text: string;
  asked: number;
  controller: AbortController;
}

export class TextEngine implements EngineLink {
  readonly #link: EngineLink;
  readonly #pending = new Set<Pending>();
  #current = "";
  #givenUp: string | null = null;

  constructor(link: EngineLink) {
    this.#link = link;
  }

  /** Sets the current program. */
  about(text: string): void {
    if (text === this.#current) return;
    this.#current = text;
    this.#givenUp = null;
    this.#giveUpOld();
    const now = performance.now();
    for (const { asked } of this.#pending) {
      setTimeout(() => this.#giveUpOld(), Math.ceil(asked + GRACE_MS - now));
    }
  }

  /** Cancels queued calls before the running one, which would start the next. */
  #giveUpOld(): void {
    const now = performance.now();
    for (const { text, asked, controller } of [...this.#pending].reverse()) {
      if (text !== this.#current && now - asked >= GRACE_MS - 1) controller.abort();
    }
  }

  async call<M extends keyof EngineApi>(
    method: M,
    args: Parameters<EngineApi[M]>,
    options: EngineCallOptions = {},
  ): Promise<ReturnType<EngineApi[M]>> {
    const first = args[0] as unknown;
    const text = isAboutText(method) && typeof first === "string" ? first : null;
    if (text === null) return this.#link.call(method, args, { timeout: PATIENCE_MS, ...options });
    if (text === this.#givenUp) throw new TooSlowError();
    const controller = new AbortController();
    options.signal?.addEventListener("abort", () => controller.abort(), { once: true });
    const pending = { text, asked: performance.now(), controller };
    this.#pending.add(pending);
    try {
      const { signal } = controller;
      return await this.#link.call(method, args, { timeout: PATIENCE_MS, ...options, signal });
    } catch (error) {
      const late = error instanceof DOMException && error.name === "TimeoutError";
      if (!late) throw error;
      if (text === this.#current) this.#givenUp = text;
      throw new TooSlowError();
    } finally {
      this.#pending.delete(pending);
    }
  }

  cancel(): void {
    this.#link.cancel();
  }
}
