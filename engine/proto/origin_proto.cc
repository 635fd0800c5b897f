// `origin={({"a" {0}}, {"b"})}`: the leaves of a value, each with an array of the original program.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "engine/hlo/lexer.h"
#include "engine/proto/attribute_proto.h"

namespace hlo {
namespace {

constexpr std::string_view kSynthetic = "{[synthetic_call]}";
using Path = std::vector<int64_t>;

Path PathOf(const Dims& dims) { return {dims.begin(), dims.end()}; }

class OriginText {
 public:
  explicit OriginText(const WireMessage& proto) {
    for (const WireMessage& element : proto.Messages(1)) {
      leaves_.emplace(PathOf(element.Ints(1)), element.Message(2));
    }
  }
  bool empty() const { return leaves_.empty(); }

  void Append(const Shape& shape, Path* path, std::string* out) const {
    if (!shape.IsTuple()) return AppendLeaf(*path, out);
    out->push_back('(');
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      if (i > 0) out->append(", ");
      path->push_back(static_cast<int64_t>(i));
      Append(shape.elements()[i], path, out);
      path->pop_back();
    }
    out->push_back(')');
  }

 private:
  void AppendLeaf(const Path& path, std::string* out) const {
    out->push_back('{');
    const auto found = leaves_.find(path);
    if (found != leaves_.end()) {
      const std::string_view name = found->second.Bytes(1);
      const Dims index = found->second.Ints(2);
      if (!name.empty()) {
        out->push_back('"');
        AppendEscaped(name, out);
        out->push_back('"');
        if (!index.empty()) {
          fmt::format_to(std::back_inserter(*out), " {{{}}}", fmt::join(index, ","));
        }
      }
    }
    out->push_back('}');
  }

  std::map<Path, WireMessage> leaves_;
};

// Reads text that the parser of HLO has written.
class OriginReader {
 public:
  explicit OriginReader(std::string_view text) : lexer_(text, &ignored_) {}

  void Read(Dims* path, WireWriter* out) {
    if (lexer_.Consume('(')) {
      path->push_back(0);
      while (!lexer_.AtEnd() && !lexer_.Consume(')')) {
        Read(path, out);
        ++path->back();
        if (!lexer_.Consume(',') && lexer_.Peek() != ')') break;
      }
      path->pop_back();
      return;
    }
    std::string name;
    Dims index;
    if (!lexer_.Consume('{')) return;
    if (lexer_.Peek() == '"') lexer_.ReadString(&name);
    if (lexer_.Consume('{')) {
      int64_t number = 0;
      while (lexer_.Peek() != '}' && lexer_.ReadInt(&number)) {
        index.push_back(number);
        if (!lexer_.Consume(',')) break;
      }
      lexer_.Consume('}');
    }
    lexer_.Consume('}');
    if (name.empty()) return;
    WireWriter array;
    array.String(1, name);
    array.Ints(2, index);
    WireWriter element;
    element.Ints(1, *path);
    element.Message(2, array.bytes());
    out->Message(1, element.bytes());
  }
  bool Consume(char c) { return lexer_.Consume(c); }

 private:
  Diagnostics ignored_;
  Lexer lexer_;
};

}  // namespace

std::string OriginFromProto(const WireMessage& proto, const Shape& shape) {
  if (proto.Bool(2)) return std::string(kSynthetic);
  const OriginText origin(proto);
  if (origin.empty()) return {};
  std::string text = "{";
  Path path;
  origin.Append(shape, &path, &text);
  return text + "}";
}

std::string OriginToProto(std::string_view text) {
  WireWriter out;
  if (text == kSynthetic) {
    out.Int(2, 1);
    return out.Take();
  }
  OriginReader reader(text);
  Dims path;
  if (reader.Consume('{')) reader.Read(&path, &out);
  return out.Take();
}

}  // namespace hlo
