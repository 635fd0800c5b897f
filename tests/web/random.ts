/** Repeatable random things for property tests. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
  /** Text of ASCII, signs that links treat specially, and letters beyond 16 bits. */
  text(most: number): string {
    const signs = [..."aZ09 %&=#/+?{}()[]\n\t\"'\\,:;.~-_<>|^`@!$*", "é", "√", "漢", "🙂", "\0"];
    return Array.from({ length: this.below(most + 1) }, () => this.pick(signs)).join("");
  }
}
