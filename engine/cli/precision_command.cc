#include "engine/cli/precision_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "engine/cli/files.h"
#include "engine/cli/options.h"
#include "engine/cli/reporting.h"
#include "engine/cli/run_arguments.h"
#include "engine/views/precision_view.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

// The `1.0` of `1.0=VALUE`, and what follows it; nothing for a value alone.
std::optional<std::pair<std::vector<int64_t>, std::string>> PathBefore(const std::string& text) {
  std::vector<int64_t> path;
  size_t at = 0;
  while (true) {
    const size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    constexpr size_t kMostDigits = 6;
    if (end == at || end - at > kMostDigits || end == text.size()) return std::nullopt;
    path.push_back(std::stoll(text.substr(at, end - at)));
    at = end + 1;
    if (text[end] == '=') return std::pair(std::move(path), text.substr(at));
    if (text[end] != '.') return std::nullopt;
  }
}

// `[N.M=]VALUE`; a file is named by `@FILE` or by a name that ends like one. False with a problem.
bool AddExpected(const std::string& argument, PrecisionReference& reference, std::string* problem) {
  ExpectedValue& value = reference.expected.emplace_back();
  value.text = argument;
  if (auto parts = PathBefore(argument)) {
    value.path = std::move(parts->first);
    value.text = std::move(parts->second);
  }
  const bool is_marked = value.text.starts_with("@");
  if (!is_marked && !value.text.ends_with(".npy")) return true;
  auto bytes = ReadWhole(is_marked ? value.text.substr(1) : value.text, problem);
  if (!bytes) return false;
  const auto content = std::as_bytes(std::span(*bytes));
  value.file.emplace(content.begin(), content.end());
  return true;
}

// False with a problem.
bool ReadReference(const PrecisionArguments& arguments, PrecisionReference& reference,
                   std::string* problem) {
  if (arguments.as != "own") {
    reference.widening.floats = arguments.as == "f32" ? ElementType::kF32 : ElementType::kF64;
  } else {
    reference.widening.floats = std::nullopt;
  }
  reference.widening.sums_in_f64 = arguments.sums == "f64";
  const bool changes = !arguments.other_inputs.empty() || arguments.other_seed ||
                       arguments.other_replicas || arguments.other_partitions ||
                       arguments.other_products || arguments.other_multiply_add;
  if (changes) {
    RunChanges& given = reference.changes.emplace();
    given.seed = arguments.other_seed;
    given.replicas = arguments.other_replicas;
    given.partitions = arguments.other_partitions;
    if (arguments.other_products) given.products = FindProductRounding(*arguments.other_products);
    if (arguments.other_multiply_add) {
      given.multiply_add = MultiplyAddNamed(*arguments.other_multiply_add);
    }
    for (const std::string& input : arguments.other_inputs) {
      if (!AddInput(input, given.given, problem, "--other-input")) return false;
    }
  }
  for (const std::string& expected : arguments.expected) {
    if (!AddExpected(expected, reference, problem)) return false;
  }
  if ((changes || reference.other) && (arguments.as != "f64" || !arguments.sums.empty())) {
    *problem = "--as and --sums change the types of FILE, which is compared with another run here";
    return false;
  }
  if (!reference.expected.empty() && (changes || reference.other)) {
    *problem = "--expected is compared with one run: no other program, inputs or settings";
    return false;
  }
  return true;
}

}  // namespace

void AddPrecisionOptions(CLI::App* precision, std::string* other, PrecisionArguments* arguments) {
  precision->add_option("OTHER", *other, "A program to compare with, HLO or StableHLO");
  precision
      ->add_option("--as", arguments->as,
                   "Without OTHER: what narrower floats are read as: f64 (default), f32, or own, "
                   "the types that they have")
      ->check(CLI::IsMember({"own", "f32", "f64"}));
  precision
      ->add_option("--sums", arguments->sums,
                   "f64: dot, ragged-dot, convolution, reduce and reduce-window sum in f64 and "
                   "round once")
      ->check(CLI::IsMember({"f64"}));
  precision
      ->add_option("--expected", arguments->expected,
                   "What the result should be: a literal, an expression or FILE.npy, of any float "
                   "type; N=VALUE for element N of a tuple")
      ->allow_extra_args(false);
  precision
      ->add_option(
          "--other-input", arguments->other_inputs,
          "N=VALUE as of --input, for the second run alone, which then is of OTHER or of FILE")
      ->allow_extra_args(false);
  precision->add_option("--other-seed", arguments->other_seed, "The seed of the second run")
      ->check(IsWholeNumber(0, UINT64_MAX));
  precision
      ->add_option("--other-replicas", arguments->other_replicas, "The replicas of the second run")
      ->check(IsWholeNumber(1));
  precision
      ->add_option("--other-partitions", arguments->other_partitions,
                   "The partitions of the second run")
      ->check(IsWholeNumber(1));
  precision
      ->add_option("--other-products", arguments->other_products, "--products of the second run")
      ->check(CLI::IsMember({"f32", "bf16", "tf32"}));
  precision
      ->add_option("--other-multiply-add", arguments->other_multiply_add,
                   "--multiply-add of the second run")
      ->check(CLI::IsMember({"separate", "fused"}));
  precision
      ->add_option(
          "--at-most", arguments->at_most,
          "ULP: exit with 1 where an element of the result is more units in the last place "
          "off, or an integer or a size is another one")
      ->check(IsNotNegative());
}

namespace {

// Integers have no units in the last place: none may differ.
bool IsFurtherOff(const ValueError& error, double most_ulp) {
  const bool is_other_integer = error.ulp == 0 && error.absolute > 0;
  return !error.same_shape || error.ulp > most_ulp || is_other_integer;
}

}  // namespace

void PrintPrecision(const std::shared_ptr<const Document>& document,
                    std::shared_ptr<const Document> other, const RunRequest& request,
                    const PrecisionArguments& arguments, const std::string& file, bool json,
                    CommandResult& result) {
  PrecisionReference reference;
  reference.other = std::move(other);
  std::string problem;
  if (!ReadReference(arguments, reference, &problem)) {
    return Fail(result, kExitUsage, problem);
  }
  const PrecisionView view = MakePrecisionView(document, reference, request);
  const LineTable lines(document->text());
  for (const Diagnostic& fault : view.faults.list()) {
    // What is about an expected value or the other program has no place in this one.
    result.err += fault.range == Range{} ? fmt::format("hlo: {}\n", fault.message)
                                         : FormatDiagnostic(fault, file, lines);
  }
  if (!view.ok) result.status = std::max(result.status, kExitDiagnostics);
  if (json) {
    result.out = PrecisionJson(view, true) + "\n";
  } else if (view.ok) {
    result.out = PrecisionText(view);
  }
  const auto is_off = [&](const ValueError& error) {
    return IsFurtherOff(error, *arguments.at_most);
  };
  const std::vector<ValueError>& results = view.report.results;
  if (view.ok && arguments.at_most && std::any_of(results.begin(), results.end(), is_off)) {
    Fail(result, kExitDiagnostics,
         fmt::format("the result is further off than --at-most {}", *arguments.at_most));
  }
}

}  // namespace hlo
