// HLO text to a module, and its tokens for highlighting.
// Source: XLA, hlo/parser/hlo_parser.cc and hlo_lexer.cc.
#ifndef HLO_ENGINE_HLO_PARSER_H_
#define HLO_ENGINE_HLO_PARSER_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// Limits of the parser, for callers that need others.
struct ParseOptions {
  /// How deeply inline computations and nested operands may be nested.
  int max_depth = 500;
  /// Some lines of a computation are a program of their own, with a warning; XLA refuses them.
  bool takes_lines = false;
};

/// Parses a module, a bare computation, or a single instruction. Recovers after faults and reports
/// many; returns a module whenever at least a part of it is usable for views (outline, hover),
/// null otherwise. The module may be run only if `!diagnostics.has_errors()`.
/// Constants are allocated from `budget` (null: limited to 1 GiB).
std::unique_ptr<Module> ParseModule(std::string text, Diagnostics& diagnostics,
                                    Budget* budget = nullptr, const ParseOptions& options = {});

/// Whether a text is an HloProto or HloModuleProto in protocol-buffer text, which is not read: it
/// begins, `#` comments apart, with a field of one of them, and has computations.
bool LooksLikeProtobuf(std::string_view text);

/// What a token is, for highlighting.
enum class TokenKind : uint8_t {
  kKeyword,
  kOpcode,
  kName,
  kComputationName,
  kAttribute,
  kType,
  kNumber,
  kString,
  kComment,
  kPunctuation,
  kLayout,
  kInvalid,
};
struct Token {
  TokenKind kind;
  Range range;
};
/// Tokens of a text, in order, white space left out. Never fails; linear time; no parse needed.
std::vector<Token> Tokenize(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_PARSER_H_
