#include "engine/views/standalone_view.h"

#include <fmt/format.h>

#include <iterator>

#include "engine/base/work_limit.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/target_families.h"

namespace hlo {
namespace {

/// The typed array that holds elements of a type, and how many numbers an element is in it.
struct JsArray {
  std::string_view name;
  int numbers = 1;
};
JsArray JsArrayOf(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return {"Float32Array"};
    case ElementType::kC64:
      return {"Float32Array", 2};
    case ElementType::kF64:
      return {"Float64Array"};
    case ElementType::kC128:
      return {"Float64Array", 2};
    default:
      break;
  }
  const bool is_signed = IsSigned(type);
  switch (BytesOf(type)) {
    case 1:
      return {is_signed ? "Int8Array" : "Uint8Array"};
    case 2:
      return {is_signed ? "Int16Array" : "Uint16Array"};
    case 4:
      return {is_signed ? "Int32Array" : "Uint32Array"};
    default:
      return {is_signed ? "BigInt64Array" : "BigUint64Array"};
  }
}

std::string ArrayText(const StandaloneArray& array) {
  int64_t count = 1;
  for (int64_t size : array.dims) count *= size;
  const JsArray js = JsArrayOf(array.type);
  return fmt::format(
      "  {{ name: {}, type: \"{}\", shape: [{}], array: {}, length: {}, address: {} }},\n",
      JsonText(Json(array.name)), Text(array.type), fmt::join(array.dims, ", "), js.name,
      count * js.numbers, array.address ? fmt::format("{}", *array.address) : "null");
}

std::string ListText(const std::vector<StandaloneArray>& arrays) {
  std::string text;
  for (const StandaloneArray& array : arrays) text += ArrayText(array);
  return text;
}

// The parts around what differs from program to program.
constexpr std::string_view kHeader = R"(//
//   import {{ load }} from "./{0}.mjs";
//   const program = await load();
//   const result = program.run({1});
//
// `run` takes one typed array for each of `inputs` and gives one for the result, or an array of them
// if that is a tuple; all are row-major. Element types and their typed arrays: f32 Float32Array, f64
// Float64Array, s8 Int8Array, s16 Int16Array, s32 Int32Array, s64 BigInt64Array, u8 to u64 the
// unsigned ones; c64 and c128 real and imaginary parts in turn; pred Uint8Array of 0 and 1; f16 and
// bf16 the bits in a Uint16Array; floats of 8 bits and less the bits in a Uint8Array; integers of fewer
// than 8 bits one to a byte, s4 in an Int8Array, u4 in a Uint8Array.
)";

constexpr std::string_view kFile = R"(
const file = () => new URL({}, import.meta.url);
)";

// {0}: any machine's file, {1}: that with the instruction, {2}: a module that tries it.
constexpr std::string_view kFileOfMachine = R"(
// Sums of products are rounded once a step. Some engines have an instruction for that, which some
// machines take in two roundings: there the same numbers come from other instructions.
async function file() {{
  const trial = new Uint8Array([{2}]);
  const hasFused =
    WebAssembly.validate(trial) &&
    (await WebAssembly.instantiate(trial)).instance.exports.fuses() === 1;
  return new URL(hasFused ? {1} : {0}, import.meta.url);
}}
)";

constexpr std::string_view kLoading = R"(
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  let bytes = await source;
  if (bytes instanceof URL && bytes.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    bytes = await readFile(bytes);
  } else if (bytes instanceof URL) {
    bytes = await fetch(bytes);
  }
  if (typeof Response !== "undefined" && bytes instanceof Response) {
    if (!bytes.ok) throw new Error(`${bytes.url}: ${bytes.status} ${bytes.statusText}`);
    bytes = await bytes.arrayBuffer();
  }
  return WebAssembly.compile(bytes);
}

async function instantiated(source) {
  const module = await compiled(source);
  try {
    return await WebAssembly.instantiate(module);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`there is no memory for the ${bytesOfMemory} bytes that the program needs`);
  }
}
)";

constexpr std::string_view kRunning = R"(
function check(value, input) {
  const { name, type, shape, array, length } = input;
  const wanted = `${type}[${shape}] is a ${array.name} of ${length}`;
  if (!(value instanceof array)) {
    const given = value?.constructor?.name ?? typeof value;
    throw new TypeError(`${name}: ${wanted}, but is given as: ${given}`);
  }
  if (value.length !== length) throw new RangeError(`${name}: ${wanted}, not ${value.length}`);
}

const described = (list) => list.map(({ name, type, shape }) => ({ name, type, shape }));

function execute({ memory, run }) {
  try {
    run();
  } catch (error) {
    if (faults.length === 0 || !(error instanceof WebAssembly.RuntimeError)) throw error;
    throw new RangeError(faults[new Uint32Array(memory.buffer, faultAddress, 1)[0]]);
  }
}

/** `source`: the module, its bytes, or a response or promise of these; by default the file here. */
export async function instantiate(source = file()) {
  const { exports } = await instantiated(source);
  const { memory, fuses } = exports;
  if (fuses?.() === 0) throw new Error("this machine takes fused multiply-adds in two roundings");
  return {
    inputs: described(inputs),
    outputs: described(outputs),
    run(...values) {
      if (values.length !== inputs.length) {
        throw new TypeError(`the program takes ${inputs.length} arrays, not ${values.length}`);
      }
      values.forEach((value, i) => check(value, inputs[i]));
      values.forEach((value, i) => {
        const { array, address, length } = inputs[i];
        if (address !== null) new array(memory.buffer, address, length).set(value);
      });
      execute(exports);
      const results = outputs.map(({ array, address, length }) =>
        new array(memory.buffer, address, length).slice(),
      );
      return isTuple ? results : results[0];
    },
  };
}

export const load = () => instantiate();
)";

std::string ListText(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += fmt::format("  {},\n", JsonText(Json(text)));
  return list;
}

std::string ScriptOf(const Standalone& program, std::string_view name, bool is_fused) {
  const auto file = [&](std::string_view ending) { return fmt::format("{}{}", name, ending); };
  const auto address = [&](std::string_view ending) { return JsonText(Json("./" + file(ending))); };
  std::string names;
  for (const StandaloneArray& input : program.inputs) {
    names += fmt::format("{}{}[{}]", names.empty() ? "" : ", ", Text(input.type),
                         fmt::join(input.dims, ","));
  }
  std::string text = fmt::format(
      "// Runs {}, which {} beside it, in browsers and Node.\n",
      is_fused ? fmt::format("{} or {}", file(".wasm"), file(".fused.wasm")) : file(".wasm"),
      is_fused ? "are" : "is");
  const auto to = std::back_inserter(text);
  fmt::format_to(to, kHeader, name, names);
  fmt::format_to(to, "\nconst inputs = [\n{}];\nconst outputs = [\n{}];\n",
                 ListText(program.inputs), ListText(program.outputs));
  fmt::format_to(to, "const isTuple = {};\nconst bytesOfMemory = {};\n", program.is_tuple,
                 program.memory_bytes);
  fmt::format_to(to, "// What a run says that an array's values end.\nconst faults = [\n{}];\n",
                 ListText(program.faults));
  fmt::format_to(to, "const faultAddress = {};\n", program.fault_address);
  if (is_fused) {
    fmt::format_to(to, kFileOfMachine, address(".wasm"), address(".fused.wasm"),
                   fmt::join(FusionTrialModule(), ","));
  } else {
    fmt::format_to(to, kFile, address(".wasm"));
  }
  text += kLoading;
  text += kRunning;
  return text;
}

}  // namespace

StandaloneView MakeStandalone(const Document& document, std::string_view name,
                              ProductRounding products, MultiplyAdd multiply_add) {
  StandaloneView view;
  view.diagnostics = document.diagnostics();
  if (!document.ok() || !document.module()->entry()) return view;
  const WorkLimit limit(WorkLimit::ForText(document.text().size()));
  const auto compiled = [&](ProductStep step) {
    return CompileStandalone(*document.module(), &BuiltInTargets(),
                             {RowOfProductRounding(products), step}, &view.diagnostics);
  };
  const bool is_fused = multiply_add == MultiplyAdd::kFused;
  std::optional<Standalone> program =
      compiled(is_fused ? ProductStep::kSoftware : ProductStep::kSeparate);
  if (!program) return view;
  if (is_fused) {
    // One script serves both: arrays are at the same places.
    std::optional<Standalone> faster = compiled(ProductStep::kFused);
    const bool is_alike = faster && program->inputs == faster->inputs &&
                          program->outputs == faster->outputs &&
                          program->memory_bytes == faster->memory_bytes;
    if (is_alike) view.fused_module = std::move(faster->module);
  }
  view.ok = true;
  view.module = program->module;
  view.arena_bytes = program->arena_bytes;
  view.memory_bytes = program->memory_bytes;
  view.script = ScriptOf(*program, name, !view.fused_module.empty());
  return view;
}

}  // namespace hlo
