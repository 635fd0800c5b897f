/** A program's arrays where the engine has them: views of its memory, and calls without a message. */
import { isComplex } from "./element_types";
import type { ArrayInfo, CustomCallData } from "./engine_api";
import type { EngineModule } from "./engine_module";

const ARRAYS = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
};

type ArrayType = new (memory: ArrayBuffer, at?: number, length?: number) => CustomCallData;

/** The typed array that holds the elements of an array. */
export function arrayType({ data }: ArrayInfo): ArrayType {
  return ARRAYS[data as keyof typeof ARRAYS];
}

/** How many elements it has; a complex number is two. */
function lengthOf({ type, dims }: ArrayInfo): number {
  return dims.reduce((product, size) => product * size, isComplex(type) ? 2 : 1);
}

/** What of the module programs use. */
export interface ProgramModule {
  /** The memory as it is now: another view after it grew. */
  memory(): Uint8Array;
  /** How often anything was released: a program may have been. */
  releases: number;
  /** Whether the function of a custom call is running: programs cannot be released then. */
  calling: boolean;
  /** The functions, which the small build does not have. */
  functions: Pick<
    EngineModule,
    | "_hlo_places"
    | "_hlo_make_room"
    | "_hlo_place"
    | "_hlo_call"
    | "_hlo_keep"
    | "_hlo_drop_results"
  >;
}

const absent = (): number => 0;

/** Copies all elements; of a few, one by one, which for so few is quicker than `set`. */
export function copyElements(to: CustomCallData, from: CustomCallData): void {
  if (from.length > FEW) {
    (to as Float32Array).set(from as Float32Array);
  } else {
    for (let i = 0; i < from.length; i++) to[i] = from[i] as number & bigint;
  }
}
const FEW = 32;

/**
 * The places of one program: those of its parameters, then those of its results. What fails here
 * returns false; the engine's call `programFaults` says why.
 */
export class Places {
  readonly #module: ProgramModule;
  readonly #program: number;
  readonly #parameterCount: number;
  readonly #types: ArrayType[];
  readonly #lengths: number[];
  #memory: Uint8Array | undefined;
  #releases = -1;
  /** Where the arrays are; 0: nowhere. */
  #addresses: Uint32Array = new Uint32Array(0);
  // The views that were made last, and of which addresses.
  readonly #views: (CustomCallData | undefined)[] = [];
  readonly #viewed: number[] = [];
  /** By parameter: the handle of the value that is in the place; 0: what is there is the caller's. */
  readonly #values: number[];
  // The functions, which the guarded module looks up each time.
  readonly #find: (program: number) => number;
  readonly #makeRoom: (program: number, parameter: number) => number;
  readonly #place: (program: number, parameter: number, value: number) => number;
  readonly #call: (program: number, consumes: number) => number;

  constructor(
    module: ProgramModule,
    program: number,
    parameters: readonly ArrayInfo[],
    results: readonly ArrayInfo[],
  ) {
    this.#module = module;
    this.#program = program;
    this.#parameterCount = parameters.length;
    this.#types = [...parameters, ...results].map(arrayType);
    this.#lengths = [...parameters, ...results].map(lengthOf);
    this.#values = parameters.map(() => 0);
    const { functions } = module;
    this.#find = functions._hlo_places ?? absent;
    this.#makeRoom = functions._hlo_make_room ?? absent;
    this.#place = functions._hlo_place ?? absent;
    this.#call = functions._hlo_call ?? absent;
  }

  /** Looks where they are; false if the program has none, or was released. */
  refresh(): boolean {
    const { releases } = this.#module;
    const memory = this.#module.memory();
    if (memory === this.#memory && releases === this.#releases) return true;
    const table = this.#find(this.#program);
    this.#memory = table === 0 ? undefined : memory;
    if (table === 0) return false;
    this.#releases = releases;
    this.#addresses = new Uint32Array(memory.buffer, table, this.#types.length);
    this.#viewed.length = 0;
    return true;
  }

  #view(i: number): CustomCallData | undefined {
    // The memory may have grown since.
    if (this.#module.memory() !== this.#memory && !this.refresh()) return undefined;
    const at = this.#addresses[i];
    if (!at) return undefined;
    if (this.#viewed[i] !== at) {
      const type = this.#types[i] as ArrayType;
      this.#views[i] = new type(this.#memory?.buffer as ArrayBuffer, at, this.#lengths[i]);
      this.#viewed[i] = at;
    }
    return this.#views[i];
  }

  /** The array of a parameter, to be written; nothing if there is no memory for it. */
  argument(i: number): CustomCallData | undefined {
    const isOurs = this.#values[i] === 0 && this.#addresses[i] !== 0;
    if (!isOurs && this.#makeRoom(this.#program, i) === 0) return undefined;
    this.#values[i] = 0;
    return this.#view(i);
  }

  /** The array of a result of the last call, for as long as it is there. */
  result(i: number): CustomCallData | undefined {
    return this.#view(this.#parameterCount + i);
  }

  /** Whether an array is what the place of a parameter takes. */
  fits(i: number, array: CustomCallData): boolean {
    // JavaScript may have passed null.
    return array?.constructor === this.#types[i] && array.length === this.#lengths[i];
  }

  /** Puts a value that stays in the engine into the place of a parameter. */
  put(i: number, value: number): boolean {
    if (this.#values[i] === value && this.#addresses[i] !== 0) return true;
    if (this.#place(this.#program, i, value) === 0) return false;
    this.#values[i] = value;
    return true;
  }

  /** Executes the program on what is in the places; with `consumes` it may take large arrays. */
  call(consumes: boolean): boolean {
    return this.#call(this.#program, consumes ? 1 : 0) !== 0;
  }

  /** Makes a result a value that stays in the engine: its handle. */
  keep(i: number): number {
    return this.#module.functions._hlo_keep?.(this.#program, i) ?? 0;
  }

  /** After the results were read: large ones take memory. */
  dropLarge(): void {
    const isLarge = (length: number, i: number) => i >= this.#parameterCount && length > 1 << 14;
    if (this.#lengths.some(isLarge)) this.#module.functions._hlo_drop_results?.(this.#program);
  }
}
