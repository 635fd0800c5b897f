// The engine as one function: a call name, JSON and buffers in, JSON and buffers out. This is all
// that front ends in another language need to bind. Every call is a row of a table;
// wasm/engine_api.ts documents each.
#ifndef HLO_ENGINE_VIEWS_CALLS_H_
#define HLO_ENGINE_VIEWS_CALLS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/views/language.h"
#include "engine/views/open_texts.h"
#include "engine/views/session.h"
#include "engine/views/target_families.h"

namespace hlo {

/// The arguments of a call. `json` is their list; in it `{"$buffer": n}` refers to a buffer: the
/// bytes of a file, or a text as UTF-8, which then need not be escaped as JSON. `{"$document": n}`
/// refers to an open text.
struct CallIn {
  std::string_view json;
  std::vector<std::vector<std::byte>> buffers;
};

/// A part of an answer that is not JSON: a text, bytes or numbers.
using CallBuffer =
    std::variant<std::string, std::vector<uint8_t>, std::vector<uint32_t>, std::vector<double>>;

/// The answer to a call. In `json`, `{"$buffer": n}` refers to a buffer, as the whole answer or as
/// a member of it.
struct CallOut {
  std::string json = "null";
  std::vector<CallBuffer> buffers;
  /// Not empty: there is no answer, since the table has no such call or an argument is of the wrong
  /// kind.
  std::string fault;
};

/// The arguments of a call, as its row reads them.
class CallArguments {
 public:
  /// `texts` are the open texts; they must outlive the arguments.
  CallArguments(CallIn in, const OpenTexts& texts);
  ~CallArguments();
  CallArguments(const CallArguments&) = delete;
  CallArguments& operator=(const CallArguments&) = delete;

  /// A text, however it was passed. Any other argument is a fault of the call.
  std::string_view Text(size_t i) const;
  /// The same for an optional argument: empty if it is absent.
  std::string_view OptionalText(size_t i) const;
  /// An integer; 0 for anything that is not a number in range.
  int64_t Integer(size_t i) const;
  /// An argument as JSON; "null" without one.
  std::string Json(size_t i) const;
  /// The changes of an edit.
  std::vector<TextChange> Changes(size_t i) const;
  /// A list of typed arrays, whose buffers can be taken once, and of `{"value": n}`, arrays that
  /// the session keeps.
  std::vector<ProgramArgument> TakeArrays(size_t i, const Session& session);
  /// A member of an argument that is true.
  bool Flag(size_t i, std::string_view name) const;
  /// The `files` of the options of a run, or another list of files. They can be taken once.
  std::vector<InputFile> TakeFiles(size_t i, const char* name = "files");

 private:
  const nlohmann::ordered_json& At(size_t i) const;
  const std::vector<std::byte>* BufferOf(const nlohmann::ordered_json& value) const;

  const OpenTexts& texts_;
  std::vector<std::vector<std::byte>> buffers_;
  std::unique_ptr<nlohmann::ordered_json> list_;
};

class Engine;

/// A call: its name in wasm/engine_api.ts and its function.
struct CallRow {
  std::string_view name;
  CallOut (*function)(Engine& engine, CallArguments& arguments);
};
using CallRows = std::span<const CallRow>;

/// The calls that every build has.
CallRows SmallCalls();
/// The calls that only the full build has: films, conversions, memory reports, scripts.
CallRows FullCalls();

/// What a build of the engine contains.
struct EngineBuild {
  std::vector<CallRows> calls;
  Languages languages;
  TargetFamilies targets;
  /// Of inputs, beyond rules and literals; null: there are no other forms.
  const InputForms* input_forms = nullptr;
  /// Finds how products are rounded; null: there are no such settings.
  ProductRounding (*find_products)(std::string_view name) = nullptr;
};

/// One engine: a session and the calls on it. Not thread-safe.
class Engine {
 public:
  explicit Engine(EngineBuild build)
      : build_(std::move(build)),
        session_(build_.languages, build_.targets, build_.input_forms, build_.find_products) {}

  /// Answers a call.
  CallOut Call(std::string_view name, CallIn in);

  Session& session() { return session_; }
  const EngineBuild& build() const { return build_; }

 private:
  const CallRow* Find(std::string_view name) const;

  EngineBuild build_;
  Session session_;
};

// ---- Helpers to build answers

CallOut AnswerJson(std::string json);
/// An answer that is a single buffer.
CallOut AnswerBuffer(CallBuffer buffer);
/// Makes a list of buffers a member of an answer that is an object.
void AddMembers(CallOut& out, std::string_view name, std::vector<std::vector<uint8_t>> buffers);
/// Makes a buffer a member of an answer that is an object.
void AddMember(CallOut& out, std::string_view name, CallBuffer buffer);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_CALLS_H_
