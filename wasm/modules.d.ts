/** What the build puts beside the sources: Emscripten's glue and the address of the binary. */
declare module "*/engine.mjs" {
  const factory: unknown;
  export default factory;
}
declare module "*/engine_full.mjs" {
  const factory: unknown;
  export default factory;
}
declare module "*.mjs?url" {
  const url: string;
  export default url;
}
declare module "*.js?url" {
  const url: string;
  export default url;
}
declare module "*.wasm?url" {
  const url: string;
  export default url;
}
