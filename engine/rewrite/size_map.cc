#include "engine/rewrite/size_map.h"

#include <algorithm>
#include <utility>

namespace hlo {
namespace {

// Beyond this many divisions that were tried a step is given up.
constexpr int kMostAttempts = 300;
constexpr int64_t kDivisors[] = {2, 3, 5, 7, 11, 13};

std::vector<int64_t> Sorted(const Dims& sizes) {
  std::vector<int64_t> sorted(sizes.begin(), sizes.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

SizeMap::SizeMap(const std::set<int64_t>& sizes, const SizeRules& rules)
    : kept_(rules.kept.begin(), rules.kept.end()) {
  for (int64_t size : sizes) sizes_[size] = size;
  std::set<std::pair<int, std::pair<std::vector<int64_t>, std::vector<int64_t>>>> known;
  const auto add = [&](Rule::Kind kind, const Dims& left, const Dims& right) {
    Rule rule{kind, Sorted(left), Sorted(right)};
    if (rule.left == rule.right) return;
    if (kind != Rule::Kind::kOrder) {
      bound_.insert(rule.left.begin(), rule.left.end());
      bound_.insert(rule.right.begin(), rule.right.end());
    }
    if (known.insert({static_cast<int>(kind), {rule.left, rule.right}}).second) {
      rules_.push_back(std::move(rule));
    }
  };
  for (const SizeRules::Product& rule : rules.products) {
    add(Rule::Kind::kProduct, rule.a, rule.b);
  }
  for (const SizeRules::Sum& rule : rules.sums) {
    add(Rule::Kind::kSum, {rule.total}, rule.parts);
  }
  for (const SizeRules::Order& rule : rules.orders) {
    add(Rule::Kind::kOrder, {rule.small}, {rule.large});
  }
  for (const SizeRules::Ratio& rule : rules.ratios) {
    add(Rule::Kind::kRatio, {rule.large}, {rule.small});
  }
}

int64_t SizeMap::operator()(int64_t size) const {
  const auto found = sizes_.find(size);
  return found == sizes_.end() ? size : found->second;
}

std::map<int64_t, int64_t> SizeMap::changes() const {
  std::map<int64_t, int64_t> changed;
  for (const auto& [from, to] : sizes_) {
    if (from != to) changed[from] = to;
  }
  return changed;
}

const std::vector<int64_t>* SizeMap::Excess(const Rule& rule) const {
  const auto total = [&](const std::vector<int64_t>& sizes, bool adds) {
    double result = adds ? 0 : 1;
    for (int64_t size : sizes) {
      const double now = static_cast<double>((*this)(size));
      result = adds ? result + now : result * now;
    }
    return result;
  };
  double left = total(rule.left, rule.kind == Rule::Kind::kSum);
  double right = total(rule.right, rule.kind == Rule::Kind::kSum);
  if (rule.kind == Rule::Kind::kRatio) {
    left *= static_cast<double>(rule.right[0]);
    right *= static_cast<double>(rule.left[0]);
  }
  if (left > right) return &rule.left;
  return rule.kind != Rule::Kind::kOrder && left < right ? &rule.right : nullptr;
}

bool SizeMap::Divide(int64_t size, int64_t divisor) {
  int64_t& now = sizes_[size];
  const bool exact = now % divisor == 0;
  if (now / divisor < kLeast || kept_.count(size) > 0) return false;
  if (!exact && bound_.count(size) > 0) return false;
  now = now / divisor + (exact ? 0 : 1);
  return true;
}

bool SizeMap::TakeRest(const Rule& rule, int64_t size) {
  if (rule.kind != Rule::Kind::kSum || kept_.count(size) > 0) return false;
  if (std::count(rule.right.begin(), rule.right.end(), size) != 1) return false;
  int64_t rest = (*this)(rule.left[0]) + (*this)(size);
  for (int64_t part : rule.right) rest -= (*this)(part);
  if (rest < 1 || rest >= sizes_[size]) return false;
  sizes_[size] = rest;
  return true;
}

bool SizeMap::Restore(int64_t divisor, int* attempts) {
  const auto broken = std::find_if(rules_.begin(), rules_.end(),
                                   [&](const Rule& rule) { return Excess(rule) != nullptr; });
  if (broken == rules_.end()) return true;
  std::vector<int64_t> excess = *Excess(*broken);
  // The largest first: small dimensions are often counts of something.
  std::sort(excess.begin(), excess.end(),
            [&](int64_t a, int64_t b) { return (*this)(a) > (*this)(b); });
  excess.erase(std::unique(excess.begin(), excess.end()), excess.end());
  for (int64_t size : excess) {
    if (--*attempts < 0) return false;
    const int64_t before = sizes_[size];
    if (!Divide(size, divisor) && !TakeRest(*broken, size)) continue;
    if (Restore(divisor, attempts)) return true;
    sizes_[size] = before;
  }
  return false;
}

bool SizeMap::TryStep(int64_t size, int64_t divisor) {
  int attempts = kMostAttempts;
  const int64_t before = sizes_[size];
  if (!Divide(size, divisor)) return false;
  if (Restore(divisor, &attempts)) return true;
  sizes_[size] = before;
  return false;
}

bool SizeMap::Shrink(const std::function<double(const SizeMap&)>& cost) {
  std::vector<std::pair<int64_t, int64_t>> largest;  // now, before
  for (const auto& [from, to] : sizes_) {
    if (to >= kSmall && kept_.count(from) == 0) largest.emplace_back(to, from);
  }
  std::sort(largest.rbegin(), largest.rend());
  const double before = cost(*this);
  for (const auto& [now, size] : largest) {
    for (int64_t divisor : kDivisors) {
      if (failed_.count({size, divisor}) > 0) continue;
      const auto sizes = sizes_;
      if (TryStep(size, divisor) && cost(*this) < before) return true;
      sizes_ = sizes;
      failed_.insert({size, divisor});
    }
  }
  return false;
}

}  // namespace hlo
