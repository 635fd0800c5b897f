// Source: XLA, hlo/ir/hlo_instruction.cc (CreateFromProto, ToProto), hlo/ir/hlo_instructions.cc
// (the ToProto functions).
#include "engine/proto/attribute_proto.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/text_reader.h"
#include "engine/hlo/attribute_text.h"
#include "engine/proto/shape_proto.h"
#include "engine/proto/sharding_proto.h"

namespace hlo {
namespace {

// Rows of single ops, which come before those of all ops.
struct OpRow {
  Opcode opcode;
  AttrField field;
};
constexpr OpRow kAttrOpRows[] = {
    {Opcode::kCholesky, {"lower", {62, 1}}},
    {Opcode::kRngBitGenerator, {"algorithm", {70}, ProtoEnum::kRandomAlgorithm}},
    {Opcode::kCollectivePermute, {"slice_sizes", {20}}},
    {Opcode::kCollectivePermuteStart, {"slice_sizes", {20}}},
    {Opcode::kScatter, {"index_vector_dim", {48, 4}}},
    {Opcode::kRaggedDot, {"lhs_contracting_dims", {90, 1, 1}}},
    {Opcode::kRaggedDot, {"rhs_contracting_dims", {90, 1, 2}}},
    {Opcode::kRaggedDot, {"lhs_batch_dims", {90, 1, 3}}},
    {Opcode::kRaggedDot, {"rhs_batch_dims", {90, 1, 4}}},
};

constexpr AttrField kAttrRows[] = {
    {"metadata", {7}},
    {"literal", {8}},
    {"number", {9}},
    {"kind", {11}, {}, /*is_text=*/true},
    {"index", {13}},
    {"dimensions", {14}},
    {"iota_dimension", {14}},
    {"inferred_dimension", {14}},
    {"window", {15}},
    {"dim_labels", {16}},
    {"slice", {17}},
    {"exponent_bits", {18}},
    {"mantissa_bits", {19}},
    {"dynamic_slice_sizes", {20}},
    {"padding", {21}},
    {"outfeed_config", {22}},
    {"distribution", {23}, ProtoEnum::kRandomDistribution},
    {"epsilon", {24}},
    {"feature_index", {25}},
    {"channel_id", {26}},
    {"infeed_config", {27}},
    {"custom_call_target", {28}},
    {"outfeed_shape", {29}},
    {"lhs_contracting_dims", {30, 1}},
    {"rhs_contracting_dims", {30, 2}},
    {"lhs_batch_dims", {30, 3}},
    {"rhs_batch_dims", {30, 4}},
    {"fft_type", {31}, ProtoEnum::kFftType},
    {"fft_length", {32}},
    {"offset_dims", {33, 1}},
    {"collapsed_slice_dims", {33, 2}},
    {"start_index_map", {33, 3}},
    {"index_vector_dim", {33, 4}},
    {"operand_batching_dims", {33, 5}},
    {"start_indices_batching_dims", {33, 6}},
    {"slice_sizes", {34}},
    {"control-predecessors", {37}},
    {"sharding", {40}},
    {"backend_config", {43}},
    {"is_host_transfer", {47}},
    {"update_window_dims", {48, 1}},
    {"inserted_window_dims", {48, 2}},
    {"scatter_dims_to_operand_dims", {48, 3}},
    {"input_batching_dims", {48, 5}},
    {"scatter_indices_batching_dims", {48, 6}},
    {"replica_groups", {49}},
    {"feature_group_count", {50}},
    {"operand_precision", {51, 1}, ProtoEnum::kPrecision},
    {"algorithm", {51, 2}, ProtoEnum::kAlgorithm},
    {"source_target_pairs", {52}},
    {"domain", {54}},
    {"constrain_layout", {56}},
    {"operand_layout_constraints", {57}},
    {"batch_group_count", {58}},
    {"left_side", {59, 1}},
    {"lower", {59, 2}},
    {"unit_diagonal", {59, 3}},
    {"transpose_a", {59, 4}, ProtoEnum::kTranspose},
    {"is_stable", {60}},
    {"parameter_replication", {61, 1}},
    {"direction", {63}, {}, /*is_text=*/true},
    {"custom_call_has_side_effect", {65}},
    {"delta", {66}},
    {"indices_are_sorted", {67}},
    {"frontend_attributes", {68}},
    {"unique_indices", {69}},
    {"use_global_device_ids", {71}},
    {"type", {72}, {}, /*is_text=*/true},
    {"output_to_operand_aliasing", {74}},
    {"padding_type", {75}, ProtoEnum::kPaddingType},
    {"schedule", {76}, ProtoEnum::kCustomCallSchedule},
    {"api_version", {77}, ProtoEnum::kCustomCallApiVersion},
    {"async_execution_thread", {79}},
    {"cross_program_prefetch_index", {80}},
    {"k", {81}},
    {"statistics", {82}},
    {"largest", {85}},
    {"origin", {88}},
    {"is_composite", {89}},
    {"lhs_ragged_dims", {90, 2}},
    {"rhs_group_dims", {90, 3}},
    {"result_accuracy", {91}},
    {"is_reverse", {94}},
    {"num_carries", {95}},
    {"body", {38}, {}, false, 0},
    {"condition", {38}, {}, false, 1},
    {"select", {38}, {}, false, 0},
    {"scatter", {38}, {}, false, 1},
    {"true_computation", {38}, {}, false, 0},
    {"false_computation", {38}, {}, false, 1},
    {"branch_computations", {38}},
    {"called_computations", {38}},
    {"calls", {38}},
    {"to_apply", {38}},
};

// Attributes whose 0 means something: the message says whether they are there.
bool MayBeZero(const AttrDef& def) {
  return def.name == "cross_program_prefetch_index" || def.name == "inferred_dimension";
}

// The number of a word of the attribute's in the enumeration, whose words may begin with `ALG_`.
std::optional<size_t> WordOf(const AttrDef& def, std::string_view word) {
  constexpr std::string_view kPrefix = "ALG_";
  if (word.starts_with(kPrefix)) word.remove_prefix(kPrefix.size());
  return FindWord(def.words, word, /*ignore_case=*/true);
}
int64_t EnumOf(const AttrDef& def, ProtoEnum words, int64_t word) {
  const std::string text(def.words[static_cast<size_t>(word)]);
  auto number = EnumNumber(words, text);
  if (!number) number = EnumNumber(words, "ALG_" + text);
  return number.value_or(0);
}

std::optional<AttrValue> WordFromProto(const WireMessage& message, uint32_t number,
                                       const AttrDef& def, const AttrField& field, bool* faulty) {
  const int64_t code = field.is_text ? 0 : message.Int(number);
  const std::string_view text = field.is_text ? message.Bytes(number) : EnumText(field.words, code);
  const bool is_said = field.is_text ? !text.empty() : code != 0 || message.Has(number);
  if (!is_said && def.use != AttrUse::kRequired) return std::nullopt;
  const auto word = WordOf(def, text);
  // The number 0 of what need not be said is no word of the text in some enumerations.
  if (!word && (code != 0 || def.use == AttrUse::kRequired)) *faulty = true;
  if (!word) return std::nullopt;
  return AttrValue(static_cast<int64_t>(*word));
}

std::optional<AttrValue> WordsFromProto(const WireMessage& message, uint32_t number,
                                        const AttrDef& def, const AttrField& field, bool* faulty) {
  Dims words;
  for (int64_t code : message.Ints(number)) {
    const auto word = WordOf(def, EnumText(field.words, code));
    if (!word) {
      *faulty = true;
      return std::nullopt;
    }
    words.push_back(static_cast<int64_t>(*word));
  }
  if (words.empty()) return std::nullopt;
  return AttrValue(std::move(words));
}

Window WindowFromProto(const WireMessage& proto) {
  Window window;
  for (const WireMessage& dim : proto.Messages(1)) {
    window.push_back({dim.Int(1), dim.Int(2, 1), dim.Int(3), dim.Int(4), dim.Int(6, 1),
                      dim.Int(5, 1), dim.Bool(7)});
  }
  return window;
}
std::string WindowToProto(const Window& window) {
  WireWriter out;
  for (const WindowDim& dim : window) {
    WireWriter inner;
    inner.Int(1, dim.size);
    inner.Int(2, dim.stride);
    inner.Int(3, dim.pad_low);
    inner.Int(4, dim.pad_high);
    inner.Int(5, dim.window_dilation);
    inner.Int(6, dim.base_dilation);
    inner.Int(7, dim.reversal ? 1 : 0);
    out.Message(1, inner.bytes());
  }
  return out.Take();
}

// The members of ConvDimLabels and their fields.
struct LabelRow {
  uint32_t number;
  int64_t ConvDimLabels::*dim;
  Dims ConvDimLabels::*dims;
};
constexpr LabelRow kAttrLabels[] = {
    {3, &ConvDimLabels::kernel_input_feature, nullptr},
    {4, &ConvDimLabels::kernel_output_feature, nullptr},
    {6, nullptr, &ConvDimLabels::kernel_spatial},
    {7, &ConvDimLabels::input_batch, nullptr},
    {8, &ConvDimLabels::input_feature, nullptr},
    {9, &ConvDimLabels::output_batch, nullptr},
    {10, &ConvDimLabels::output_feature, nullptr},
    {11, nullptr, &ConvDimLabels::input_spatial},
    {12, nullptr, &ConvDimLabels::output_spatial},
};

ConvDimLabels LabelsFromProto(const WireMessage& proto) {
  ConvDimLabels labels;
  for (const LabelRow& row : kAttrLabels) {
    if (row.dim) {
      labels.*row.dim = proto.Int(row.number);
    } else {
      labels.*row.dims = proto.Ints(row.number);
    }
  }
  return labels;
}
std::string LabelsToProto(const ConvDimLabels& labels) {
  WireWriter out;
  for (const LabelRow& row : kAttrLabels) {
    if (row.dim) {
      out.Int(row.number, labels.*row.dim);
    } else {
      out.Ints(row.number, labels.*row.dims);
    }
  }
  return out.Take();
}

std::vector<Alias> AliasesFromProto(const std::vector<WireMessage>& messages) {
  std::vector<Alias> aliases;
  aliases.reserve(messages.size());
  for (const WireMessage& one : messages) {
    aliases.push_back({one.Ints(1), one.Int(2), one.Ints(3), false});
  }
  return aliases;
}

// Three numbers of a message: slices and padding.
template <typename Item>
std::vector<Item> TriplesFromProto(const std::vector<WireMessage>& messages, int64_t third) {
  std::vector<Item> items;
  items.reserve(messages.size());
  for (const WireMessage& one : messages) {
    items.push_back({one.Int(1), one.Int(2), one.Int(3, third)});
  }
  return items;
}
std::string TripleToProto(int64_t first, int64_t second, int64_t third) {
  WireWriter out;
  out.Int(1, first);
  out.Int(2, second);
  out.Int(3, third);
  return out.Take();
}

// `source_target_pairs` are messages; the sizes of slices are one list, cut by the first operand's
// rank where that is known.
std::optional<AttrValue> ListsFromProto(const WireMessage& message, uint32_t number,
                                        const AttrDef& def, int64_t rank) {
  std::vector<Dims> lists;
  if (def.name == "slice_sizes") {
    const Dims sizes = message.Ints(number);
    const size_t length = rank > 0 ? static_cast<size_t>(rank) : sizes.size();
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (i % length == 0) lists.emplace_back();
      lists.back().push_back(sizes[i]);
    }
  } else {
    for (const WireMessage& pair : message.Messages(number)) {
      lists.push_back({pair.Int(1), pair.Int(2)});
    }
  }
  if (lists.empty() && def.use != AttrUse::kRequired) return std::nullopt;
  return AttrValue(std::move(lists));
}

std::optional<AttrValue> DomainFromProto(const WireMessage& message, bool* faulty) {
  const auto entry = ShardingFromProto(message.Message(54));
  const auto exit = ShardingFromProto(message.Message(55));
  if (!entry || !exit) {
    *faulty = true;
    return std::nullopt;
  }
  return AttrValue(KeyValues{{"kind", "sharding", false},
                             {"entry", ShardingText(*entry, false), true},
                             {"exit", ShardingText(*exit, false), true}});
}

std::optional<AttrValue> StatisticsFromProto(const WireMessage& proto) {
  KeyValues entries{{"visualizing_index", fmt::format("{}", proto.Int(1)), true}};
  for (const WireMessage& one : proto.Messages(2)) {
    entries.push_back({std::string(one.Bytes(1)), fmt::format("{:g}", one.Double(2)), true});
  }
  if (entries.size() < 2) return std::nullopt;
  return AttrValue(std::move(entries));
}
std::string StatisticsToProto(const KeyValues& entries) {
  WireWriter out;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i == 0) {
      out.Int(1, std::atoll(entries[i].value.c_str()));
      continue;
    }
    WireWriter inner;
    inner.String(1, entries[i].key);
    inner.Double(2, std::atof(entries[i].value.c_str()));
    out.Message(2, inner.bytes());
  }
  return out.Take();
}

std::optional<AttrValue> AccuracyFromProto(const WireMessage& proto) {
  if (proto.Has(2)) {
    const WireMessage tolerance = proto.Message(2);
    return AttrValue(KeyValues{{"tolerance",
                                fmt::format("{{atol={:g},rtol={:g},ulps={}}}", tolerance.Double(1),
                                            tolerance.Double(2), tolerance.Int(3)),
                                true}});
  }
  if (proto.Int(1) == 0) return std::nullopt;
  return AttrValue(KeyValues{{"mode", "highest", true}});
}
// The text is `{atol=1e-05,rtol=0,ulps=2}`.
std::string AccuracyToProto(const KeyValues& entries) {
  WireWriter out;
  const KeyValue& entry = entries.front();
  if (entry.key == "mode") {
    out.Int(1, entry.value == "highest" ? 1 : 0);
    return out.Take();
  }
  auto number = [&](std::string_view key) {
    const size_t at = entry.value.find(key);
    return at == std::string::npos ? "0" : entry.value.c_str() + at + key.size();
  };
  WireWriter inner;
  inner.Double(1, std::atof(number("atol=")));
  inner.Double(2, std::atof(number("rtol=")));
  inner.Int(3, std::atoll(number("ulps=")));
  out.Message(2, inner.bytes());
  return out.Take();
}

// The message that has the field, and the field's number in it.
WireMessage Container(const WireMessage& instruction, const AttrField& field, uint32_t* number) {
  WireMessage message = instruction;
  size_t at = 0;
  for (; at + 1 < field.path.size() && field.path[at + 1] != 0; ++at) {
    message = message.Message(field.path[at]);
  }
  *number = field.path[at];
  return message;
}

// A list or a text; nothing where it is optional and empty.
template <typename T>
std::optional<AttrValue> UnlessEmpty(bool optional, T value) {
  if (optional && value.empty()) return std::nullopt;
  return AttrValue(std::move(value));
}

}  // namespace

const AttrField* FindAttrField(Opcode opcode, std::string_view name) {
  for (const OpRow& row : kAttrOpRows) {
    if (row.opcode == opcode && row.field.name == name) return &row.field;
  }
  for (const AttrField& row : kAttrRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::optional<AttrValue> AttrFromProto(const WireMessage& instruction, const AttrDef& def,
                                       const AttrField& field, int64_t rank, bool* faulty) {
  uint32_t number = 0;
  const WireMessage message = Container(instruction, field, &number);
  const bool optional = def.use == AttrUse::kOptional;
  switch (def.kind) {
    case AttrKind::kBool: {
      const bool value = message.Bool(number);
      if (optional && !value && def.default_text != "true") return std::nullopt;
      return AttrValue(value);
    }
    case AttrKind::kInt:
    case AttrKind::kInt32: {
      const int64_t value = message.Int(number);
      const bool is_said = MayBeZero(def) ? message.Has(number) : value != 0;
      if (optional && !is_said) return std::nullopt;
      return AttrValue(value);
    }
    case AttrKind::kFloat: {
      // The shortest decimal of the float, as the text has it.
      const std::string text = fmt::format("{}", message.Float(number));
      return AttrValue(std::atof(text.c_str()));
    }
    case AttrKind::kString:
    case AttrKind::kBackendConfig: {
      std::string text(message.Bytes(number));
      return UnlessEmpty(optional, std::move(text));
    }
    case AttrKind::kWord:
      return WordFromProto(message, number, def, field, faulty);
    case AttrKind::kWordList:
      return WordsFromProto(message, number, def, field, faulty);
    case AttrKind::kInts: {
      Dims values = message.Ints(number);
      return UnlessEmpty(optional, std::move(values));
    }
    case AttrKind::kIntLists:
      return ListsFromProto(message, number, def, rank);
    case AttrKind::kBools: {
      const Dims values = message.Ints(number);
      std::vector<bool> bools;
      for (int64_t value : values) bools.push_back(value != 0);
      return UnlessEmpty(true, std::move(bools));
    }
    case AttrKind::kWindow: {
      Window window = WindowFromProto(message.Message(number));
      return UnlessEmpty(optional, std::move(window));
    }
    case AttrKind::kDimLabels:
      if (optional && !message.Has(number)) return std::nullopt;
      return AttrValue(LabelsFromProto(message.Message(number)));
    case AttrKind::kSlices:
      return AttrValue(TriplesFromProto<SliceDim>(message.Messages(number), 1));
    case AttrKind::kPadding:
      return AttrValue(TriplesFromProto<PadDim>(message.Message(number).Messages(1), 0));
    case AttrKind::kReplicaGroups: {
      auto groups = ReplicaGroupsFromProto(instruction, faulty);
      if (!groups) return std::nullopt;
      return AttrValue(std::move(*groups));
    }
    case AttrKind::kAliases: {
      auto aliases = AliasesFromProto(message.Messages(number));
      return UnlessEmpty(true, std::move(aliases));
    }
    case AttrKind::kKeyValues: {
      KeyValues pairs = KeyValuesFromProto(message.Message(number));
      return UnlessEmpty(true, std::move(pairs));
    }
    case AttrKind::kMetadata: {
      KeyValues metadata = MetadataFromProto(message.Message(number));
      return UnlessEmpty(true, std::move(metadata));
    }
    case AttrKind::kStatistics:
      return StatisticsFromProto(message.Message(number));
    case AttrKind::kResultAccuracy:
      return AccuracyFromProto(message.Message(number));
    case AttrKind::kDomain:
      return DomainFromProto(message, faulty);
    case AttrKind::kSharding: {
      if (!message.Has(number)) return std::nullopt;
      auto sharding = ShardingFromProto(message.Message(number));
      if (!sharding) *faulty = true;
      if (!sharding) return std::nullopt;
      return AttrValue(std::make_shared<const Sharding>(std::move(*sharding)));
    }
    default:
      // Computations, instructions, literals and shapes are written by whoever knows their names;
      // the messages have no field for the rest.
      return std::nullopt;
  }
}

void AttrToProto(const AttrValue& value, const AttrDef& def, const AttrField& field,
                 uint32_t number, WireWriter* out) {
  switch (def.kind) {
    case AttrKind::kBool:
      return out->Int(number, std::get<bool>(value) ? 1 : 0);
    case AttrKind::kInt:
    case AttrKind::kInt32:
      if (def.name == "inferred_dimension" && std::get<int64_t>(value) < 0) return;
      return out->Put(number, std::get<int64_t>(value));
    case AttrKind::kFloat:
      return out->Float(number, static_cast<float>(std::get<double>(value)));
    case AttrKind::kString:
    case AttrKind::kBackendConfig:
      return out->String(number, std::get<std::string>(value));
    case AttrKind::kWord:
      if (field.is_text) {
        return out->String(number, def.words[static_cast<size_t>(std::get<int64_t>(value))]);
      }
      return out->Int(number, EnumOf(def, field.words, std::get<int64_t>(value)));
    case AttrKind::kWordList: {
      Dims codes;
      for (int64_t word : std::get<Dims>(value)) codes.push_back(EnumOf(def, field.words, word));
      return out->Ints(number, codes);
    }
    case AttrKind::kInts:
      return out->Ints(number, std::get<Dims>(value));
    case AttrKind::kIntLists: {
      const auto& lists = std::get<std::vector<Dims>>(value);
      Dims sizes;
      for (const Dims& list : lists) {
        if (def.name == "slice_sizes") {
          for (int64_t size : list) sizes.push_back(size);
        } else if (list.size() == 2) {
          out->Message(number, TripleToProto(list[0], list[1], 0));
        }
      }
      return out->Ints(number, sizes);
    }
    case AttrKind::kBools:
      return out->Ints(number, std::get<std::vector<bool>>(value));
    case AttrKind::kWindow:
      return out->Message(number, WindowToProto(std::get<Window>(value)));
    case AttrKind::kDimLabels:
      return out->Message(number, LabelsToProto(std::get<ConvDimLabels>(value)));
    case AttrKind::kSlices:
      for (const SliceDim& dim : std::get<std::vector<SliceDim>>(value)) {
        out->Message(number, TripleToProto(dim.start, dim.limit, dim.stride));
      }
      return;
    case AttrKind::kPadding: {
      WireWriter inner;
      for (const PadDim& dim : std::get<std::vector<PadDim>>(value)) {
        inner.Message(1, TripleToProto(dim.low, dim.high, dim.interior));
      }
      return out->Message(number, inner.bytes());
    }
    case AttrKind::kReplicaGroups:
      return ReplicaGroupsToProto(std::get<ReplicaGroups>(value), out);
    case AttrKind::kAliases:
      for (const Alias& alias : std::get<std::vector<Alias>>(value)) {
        WireWriter inner;
        inner.Ints(1, alias.output_index);
        inner.Int(2, alias.operand);
        inner.Ints(3, alias.operand_index);
        out->Message(number, inner.bytes());
      }
      return;
    case AttrKind::kKeyValues:
      return out->Message(number, KeyValuesToProto(std::get<KeyValues>(value)));
    case AttrKind::kMetadata:
      return out->Message(number, MetadataToProto(std::get<KeyValues>(value)));
    case AttrKind::kStatistics:
      return out->Message(number, StatisticsToProto(std::get<KeyValues>(value)));
    case AttrKind::kResultAccuracy:
      return out->Message(number, AccuracyToProto(std::get<KeyValues>(value)));
    case AttrKind::kSharding:
      return out->Message(number,
                          ShardingToProto(*std::get<std::shared_ptr<const Sharding>>(value)));
    case AttrKind::kShape:
      return out->Message(number, ShapeToProto(std::get<Shape>(value)));
    default:
      return;
  }
}

KeyValues KeyValuesFromProto(const WireMessage& proto) {
  KeyValues pairs;
  for (const WireMessage& entry : proto.Messages(1)) {
    pairs.push_back({std::string(entry.Bytes(1)), std::string(entry.Bytes(2)), false});
  }
  return pairs;
}
std::string KeyValuesToProto(const KeyValues& pairs) {
  WireWriter out;
  for (const KeyValue& pair : pairs) {
    WireWriter inner;
    inner.String(1, pair.key);
    inner.String(2, pair.value);
    out.Message(1, inner.bytes());
  }
  return out.Take();
}

}  // namespace hlo
