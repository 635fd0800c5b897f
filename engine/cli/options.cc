#include "engine/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "engine/threads/pool.h"

namespace hlo {
namespace {

// What HLO_THREADS says, within what there can be: a machine may have more cores.
int ThreadsOfEnvironment() {
  const char* const text = std::getenv("HLO_THREADS");
  return text ? std::clamp(std::atoi(text), 1, kMostThreads) : 1;
}

}  // namespace

CLI::Validator IsWholeNumber(uint64_t least, uint64_t most) {
  const auto fault = [least, most](std::string& text) {
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && at == end && number >= least && number <= most)
      return std::string();
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
  return CLI::Validator(fault, "");
}

CLI::Validator IsAboveZero() {
  const auto fault = [](std::string& text) {
    char* end = nullptr;
    const bool is_above = std::strtod(text.c_str(), &end) > 0;
    if (is_above && *end == '\0') return std::string();
    return fmt::format("'{}' is not a number above 0", text);
  };
  return CLI::Validator(fault, "");
}

CLI::Validator IsNotNegative() {
  const auto fault = [](std::string& text) {
    char* end = nullptr;
    const bool is_fit = std::strtod(text.c_str(), &end) >= 0;  // not of nan
    if (is_fit && *end == '\0' && end != text.c_str()) return std::string();
    return fmt::format("'{}' is not a number from 0 on", text);
  };
  return CLI::Validator(fault, "");
}

void AddFile(CLI::App* command, Options& options, const char* what) {
  command->add_option("FILE", options.file, what)->required();
}

void AddJson(CLI::App* command, Options& options) {
  command->add_flag("--json", options.json, "Print everything as JSON");
}

void AddInputs(CLI::App* command, Options& options) {
  command
      ->add_option("--input", options.inputs,
                   "N=VALUE for argument N of StableHLO whose sizes are not written (?): its type, "
                   "like tensor<3x4xf32> or f32[3,4], or an integer that sizes depend on")
      ->allow_extra_args(false);
}

void AddProducts(CLI::App* command, Options& options) {
  command
      ->add_option("--products", options.products,
                   "How dot and convolution multiply f32 unless operand_precision is highest: f32 "
                   "(default), bf16 as TPUs do, tf32 as NVIDIA GPUs do")
      ->check(CLI::IsMember({"f32", "bf16", "tf32"}));
}

void AddMultiplyAdd(CLI::App* command, Options& options) {
  command
      ->add_option("--multiply-add", options.multiply_add,
                   "How dot and convolution add products of floats: separate (default) rounds the "
                   "product, then the sum; fused rounds once")
      ->check(CLI::IsMember({"separate", "fused"}));
}

void AddRunOptions(CLI::App* run, Options& options) {
  AddFile(run, options);
  run->add_option(
         "--input", options.inputs,
         "N=VALUE for parameter N: a literal, an array as Python prints or makes it "
         "('np.ones((2, 3))'), rows of numbers, random (default), "
         "uniform, uniform(lo,hi), "
         "normal, iota, zero, constant:V, an expression like 'sin(i0) + 0.1*i1', "
         "'normal(0, 0.02)' or 'linspace(-1, 1)', any of these 'with [0,1] = 5' for single "
         "elements, or @FILE.npy (@FILE.npz without N=: every array in it, by name or in order); "
         "optionally preceded by its type, as "
         "tensor<3x4xf32> or f32[3,4], which sets unknown sizes of StableHLO; "
         "R.P:N=VALUE for replica R, partition P alone (* for all)")
      ->allow_extra_args(false);
  run->add_option("--replicas", options.replicas,
                  "How many replicas run (default: replica_count of the header)")
      ->check(IsWholeNumber(1));
  run->add_option("--partitions", options.partitions,
                  "How many partitions run (default: num_partitions of the header)")
      ->check(IsWholeNumber(1));
  run->add_option(
         "--infeed", options.infeeds,
         "VALUE for every device's infeed, in order of use; R.P:VALUE for some devices alone")
      ->allow_extra_args(false);
  run->add_option("--receive", options.receives,
                  "CHANNEL=VALUE for recv from the host; R.P:CHANNEL=VALUE for some devices alone")
      ->allow_extra_args(false);
  run->add_option("--seed", options.seed, "Seed of random inputs and of rng (default 0)")
      ->check(IsWholeNumber(0, UINT64_MAX));
  options.threads = ThreadsOfEnvironment();
  run->add_option("--threads", options.threads,
                  "Threads that share long operations (default: HLO_THREADS, else 1); results are "
                  "the same")
      ->check(CLI::Range(1, kMostThreads));
  run->add_option("--time-limit", options.time_limit, "Seconds (default: no limit)")
      ->check(IsAboveZero());
  run->add_option("--memory-limit", options.memory_limit, "Bytes (default 2 GiB)")
      ->check(IsWholeNumber(0, UINT64_MAX));
  run->add_option("--probe-output-dir", options.probe_directory,
                  "A folder for the values of interpreter.probe: .npy files and index.csv; "
                  "check.expect_serialized_eq reads it");
  run->add_flag("--stand-ins", options.stand_ins,
                "Make up, at random, what nothing in the run gives: results of unknown custom "
                "calls, infeed, what no device sends, what devices would give that the run "
                "does not have");
  AddProducts(run, options);
  AddMultiplyAdd(run, options);
  run->add_option("--fill-elided", options.fill_elided, "What to put into constants written {...}")
      ->check(CLI::IsMember({"random", "zero", "iota"}));
}

}  // namespace hlo
