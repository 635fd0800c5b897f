/** The full build with threads (thread_calls.cc), wherever its files are. */
import type { createEngine, ModuleFactory } from "./engine";
import type { LocalEngine } from "./engine_api";
import type { EngineModule } from "./engine_module";

/** What the module with threads has besides. */
interface ThreadedModule extends EngineModule {
  _hlo_begin_threads(): void;
  _hlo_set_threads(count: number): number;
  _hlo_awake_threads(): number;
}

/** The addresses of its files. */
export interface ThreadedFiles {
  readonly glue: string;
  readonly wasm: string;
  /** The script of a thread. */
  readonly worker: string;
}

export interface ThreadedEngine {
  engine: LocalEngine;
  /** Makes so many threads share the work from now on, this one among them; resolves when they are there. */
  use(count: number): Promise<void>;
}

/** Milliseconds that a run waits for its threads; without them it begins alone. */
const PATIENCE = 1000;

/** `create` is createEngine, which its caller has already, and `options` are its. */
export async function createThreaded(
  create: typeof createEngine,
  files: ThreadedFiles,
  options: { firstHandle?: number; wasmBinary?: Uint8Array } = {},
): Promise<ThreadedEngine> {
  // As it is: what a bundler made of it, threads could not load.
  const { default: factory } = (await import(/* @vite-ignore */ files.glue)) as {
    default: (options: object) => Promise<ThreadedModule>;
  };
  let module: ThreadedModule | undefined;
  const engine = await create({
    ...options,
    factory: (async (given) => {
      module = await factory({
        ...given,
        mainScriptUrlOrBlob: files.glue,
        locateFile: (name: string) => (name.endsWith(".wasm") ? files.wasm : files.worker),
      });
      module._hlo_begin_threads();
      return module;
    }) as ModuleFactory,
  });
  const made = module as unknown as ThreadedModule;
  return {
    engine,
    use: async (count) => {
      const wanted = made._hlo_set_threads(count);
      const end = performance.now() + PATIENCE;
      while (made._hlo_awake_threads() < wanted && performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    },
  };
}
