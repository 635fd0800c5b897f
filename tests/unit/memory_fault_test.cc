// Without memory: the allocation that fails may be any of those that answering a question makes.
// For every one of them the answer is another one, or says what is missing; nothing is thrown, and
// afterwards the engine answers as before. The sanitizers find what is lost on the way.
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/cli/command.h"
#include "engine/views/check_view.h"
#include "engine/views/session.h"
#include "tests/unit/sanitizers.h"

// The JSON library's constructors from lists do not give back what they made before an allocation
// failed. What the engine itself allocates is not left out.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:nlohmann::"; }

namespace {

// Allocations until one fails; negative: none does.
thread_local int64_t allocations_left = -1;
thread_local bool has_failed = false;

void* Allocate(std::size_t bytes, std::size_t alignment) {
  if (allocations_left >= 0 && allocations_left-- == 0) {
    has_failed = true;
    return nullptr;
  }
  if (bytes == 0) bytes = 1;
  void* memory = nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

void* AllocateOrThrow(std::size_t bytes, std::size_t alignment) {
  if (void* memory = Allocate(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t bytes) { return AllocateOrThrow(bytes, 1); }
void* operator new[](std::size_t bytes) { return AllocateOrThrow(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return AllocateOrThrow(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return AllocateOrThrow(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return Allocate(bytes, 1); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return Allocate(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace hlo {
namespace {

// Whether an allocation failed while it lived.
class FailingAllocation {
 public:
  explicit FailingAllocation(int64_t number) {
    has_failed = false;
    allocations_left = number;
  }
  ~FailingAllocation() { allocations_left = -1; }
  bool failed() const { return has_failed; }
};

constexpr std::string_view kPrograms[] = {
    R"(HloModule m, entry_computation_layout={(f32[4,3]{1,0})->(f32[4], f32[2,2], s32[4,3])}
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
body { s = (s32[], f32[4,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4,3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  n = s32[] add(i, one)
  y = f32[4,3] multiply(x, x)
  ROOT t = (s32[], f32[4,3]) tuple(n, y) }
cond { s = (s32[], f32[4,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  k = s32[] constant(2)
  ROOT lt = pred[] compare(i, k), direction=LT }
ENTRY e {
  p = f32[4,3]{1,0:T(2,128)} parameter(0), sharding={devices=[2,1]<=[2]}
  z = f32[] constant(-0.0)
  r = f32[4] reduce(p, z), dimensions={1}, to_apply=add, metadata={op_name="x"}
  w = f32[2,2] reduce-window(p, z), window={size=2x2 stride=2x1}, to_apply=add
  i = s32[] constant(0)
  init = tuple(i, p)
  loop = while(init), condition=cond, body=body
  g = get-tuple-element(loop), index=1
  c = s32[4,3] convert(g)
  h = bf16[4,3] reverse(p), dimensions={0}
  ROOT t = tuple(r, w, c)
}
)",
    R"(HloModule devices, replica_count=2
less { a = u32[] parameter(0)  b = u32[] parameter(1)  ROOT l = pred[] compare(a, b), direction=LT }
max { a = u32[] parameter(0)  b = u32[] parameter(1)  ROOT m = u32[] maximum(a, b) }
ENTRY e {
  id = u32[] replica-id()
  v = u32[5] iota(), iota_dimension=0
  b = u32[5] broadcast(id), dimensions={}
  x = u32[5] xor(v, b)
  a = u32[5] all-reduce(x), replica_groups={}, to_apply=max
  s = u32[5] sort(x), dimensions={0}, to_apply=less
  d = f32[5] convert(s)
  m = f32[] dot(d, d), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT t = tuple(a, s, m)
}
)",
    R"(module @m {
  func.func @main(%a: tensor<2x3xf32>, %b: tensor<i32>) -> (tensor<3x2xf32>, tensor<i32>) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %c = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
    %1 = stablehlo.add %0, %c : tensor<3x2xf32>
    %2 = "stablehlo.case"(%b) ({ stablehlo.return %b : tensor<i32> }, { stablehlo.return %b : tensor<i32> }) : (tensor<i32>) -> tensor<i32>
    return %1, %2 : tensor<3x2xf32>, tensor<i32>
  }
}
)",
    "ENTRY e { p = f32[2] parameter(0)  ROOT r = f32[3] add(p, q, t), dimensions={x} }",
};

using Question = std::function<std::string(Session&)>;

void Nothing(Session&) {}

// Asks with every allocation failing in turn; of the later ones, some, unless all are asked for
// (HLO_MEMORY_FAULTS=all). What `prepare` does has memory.
void FailEach(const Question& ask, const std::function<void(Session&)>& prepare = Nothing) {
  Session calm;
  prepare(calm);
  const std::string wanted = ask(calm);
  constexpr int64_t kFirst = kIsSanitized ? 60 : 150;
  const char* all = std::getenv("HLO_MEMORY_FAULTS");
  const bool each = all && std::string_view(all) == "all";
  for (int64_t number = 0;; number += each ? 1 : 1 + number / kFirst) {
    CAPTURE(number);
    Session session;
    prepare(session);
    bool failed = false, thrown = false;
    std::string answer;
    {
      const FailingAllocation failing(number);
      try {
        answer = ask(session);
      } catch (...) {
        thrown = true;
      }
      failed = failing.failed();
    }
    REQUIRE(!thrown);
    if (!failed) {
      CHECK(answer == wanted);
      return;
    }
    // The same engine, when there is memory again. What it could not do it does not try again until
    // another text came.
    if (number % 8 != 0) continue;
    session.Check("");
    prepare(session);
    CHECK(ask(session) == wanted);
  }
}

TEST_CASE("no memory: checking, outlines, places, completion") {
  for (std::string_view text : kPrograms) {
    CAPTURE(text.substr(0, 40));
    FailEach([&](Session& session) { return session.Check(text); });
    FailEach([&](Session& session) { return session.Outline(text); });
    FailEach([&](Session& session) {
      return session.Place(text, static_cast<uint32_t>(text.size() / 2));
    });
    FailEach([&](Session& session) {
      return session.Complete(text, static_cast<uint32_t>(text.size() / 2));
    });
  }
}

TEST_CASE("no memory: printing, converting, program memory") {
  for (std::string_view text : kPrograms) {
    CAPTURE(text.substr(0, 40));
    FailEach([&](Session& session) { return session.Format(text); });
    FailEach([&](Session& session) { return session.Convert(text, "{}").json; });
    FailEach([&](Session& session) { return session.ProgramMemory(text); });
  }
}

TEST_CASE("no memory: running, traced and not") {
  for (std::string_view text : kPrograms) {
    CAPTURE(text.substr(0, 40));
    // The seconds it takes are others each time.
    constexpr std::string_view kOptions[] = {R"({"trace": false})", R"({"trace": true})"};
    for (std::string_view options : kOptions) {
      FailEach([&](Session& session) {
        std::string json = session.Run(text, options, {});
        const size_t at = json.find("\"seconds\":");
        if (at != std::string::npos) json.resize(at);
        // A run that fails half-way has a number too, which the next one does not get.
        const size_t number = json.find("\"handle\":2,");
        if (number != std::string::npos) json.replace(number, 10, "\"handle\":1");
        return json;
      });
    }
    FailEach([&](Session& session) { return session.PythonScript(text, "{}", {}); });
  }
}

TEST_CASE("no memory: what is asked of values") {
  constexpr std::string_view kRef = R"({"handle": 1, "entry": "output", "path": [0]})";
  const auto prepare = [](Session& session) {
    session.StartHandlesAt(1);
    session.Run(kPrograms[0], R"({"trace": false})", {});
  };
  const Question questions[] = {
      [&](Session& session) { return session.ValueText(kRef, 100); },
      [&](Session& session) { return session.ValueStats(kRef); },
      [&](Session& session) {
        return session.ValueWindow(kRef, R"({"rowDim": 0, "rows": 2})").json;
      },
      [&](Session& session) { return session.MemoryByte(kRef, "f32[4]", 3); },
      [&](Session& session) {
        const std::vector<uint8_t> file = session.ValueNpy(kRef);
        return std::string(file.empty() ? "none" : "some");
      },
      [&](Session& session) {
        const MemoryWindow window = session.Memory(kRef, "f32[4]", 0, 16);
        return std::string(window.bytes.empty() ? "none" : "some");
      },
  };
  for (const Question& question : questions) FailEach(question, prepare);
}

TEST_CASE("no memory: the command") {
  for (const char* command : {"check", "print", "run", "memory"}) {
    CAPTURE(command);
    const std::vector<std::string> args = {command, "tests/data/control/fusion.hlo"};
    FailEach([&](Session&) {
      CommandResult result = RunCommand(args);
      return std::move(result.out);
    });
  }
}

}  // namespace
}  // namespace hlo
