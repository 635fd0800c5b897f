// Shape rules of collectives and channels.
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

const std::string kHead = "x = f32[8,4] parameter(0)\nROOT r = ";

TEST_CASE("groups") {
  CheckAccepted(Entry(kHead + "f32[8,4] all-reduce(x), replica_groups={{0,1},{2}}, to_apply=add"));
  CheckRefused(Entry(kHead + "f32[8,4] all-reduce(x), replica_groups={{0,1},{1}}, to_apply=add"),
               "Replica 1 is repeated in instruction's replica-groups: r", "{{0,1},{1}}");
  CheckRefused(
      Entry(kHead + "f32[8,4] all-reduce(x), replica_groups={{0,1},{3}}, to_apply=add"),
      "Replica 3 is out of range (should be in [0, 3) range) in instruction's replica-groups: r",
      "{{0,1},{3}}");
  CheckRefused(Entry(kHead + "f32[8,4] all-reduce(x), replica_groups={{0},{}}, to_apply=add"),
               "empty replica group");
  CheckRefused(Entry(kHead + "f32[8,4] all-reduce(x), use_global_device_ids=true, to_apply=add"),
               "Cannot have use_global_device_ids=true without channel_id", "true");
  CheckRefused(Entry(kHead + "f32[8,4] all-reduce(x), channel_id=1, use_global_device_ids=true, "
                             "to_apply=add"),
               "Replica groups must be specified in flattened-id mode");
  CheckRefused(Entry(kHead + "f32[8,4] all-reduce(x), channel_id=-1, to_apply=add"),
               "must be greater than 0", "-1");
  CheckRefused("HloModule m, replica_count=4\n" +
                   Entry(kHead + "f32[8,4] all-reduce(x), replica_groups={{0,1}}, to_apply=add"),
               "In cross_replica mode, replica groups should contain 4 replicas, but found 2",
               "{{0,1}}");
}

TEST_CASE("all-gather, reduce-scatter") {
  CheckAccepted(Entry(kHead + "f32[16,4] all-gather(x), dimensions={0}, replica_groups={{0,1}}"));
  CheckRefused(Entry(kHead + "f32[24,4] all-gather(x), dimensions={0}, replica_groups={{0,1}}"),
               "shard_count = 3, subgroup_size = 2");
  CheckRefused(Entry(kHead + "f32[12,4] all-gather(x), dimensions={0}, replica_groups={{0}}"),
               "Expected instruction to have shape equal to f32[16,4], actual shape is f32[12,4]: "
               "r = all-gather",
               "f32[12,4]");
  CheckRefused(Entry(kHead + "f32[16,4] all-gather(x), dimensions={2}, replica_groups={{0,1}}"),
               "dimension 2 is out of range", "{2}");
  CheckAccepted(Entry(kHead + "f32[4,4] reduce-scatter(x), dimensions={0}, to_apply=add, "
                              "replica_groups={{0,1},{2,3}}"));
  CheckRefused(Entry(kHead + "f32[4,4] reduce-scatter(x), dimensions={0}, to_apply=add, "
                             "replica_groups={{0,1},{2,3,4}}"),
               "Replica groups expected to be of uniform size");
}

TEST_CASE("all-to-all") {
  CheckAccepted(Entry(kHead + "f32[8,4] all-to-all(x), dimensions={0}, replica_groups={{0,1}}"));
  CheckRefused(Entry(kHead + "f32[8,4] all-to-all(x), dimensions={0}, replica_groups={{0,1,2}}"),
               "AllToAll split dimension size 8 must be dividable by split_count 3.", "{0}");
  CheckAccepted(Entry(kHead + "(f32[8,4], f32[8,4]) all-to-all(x, x), replica_groups={{0,1}}"));
  CheckRefused(Entry(kHead + "(f32[8,4], f32[8,4]) all-to-all(x, x), replica_groups={{0,1,2}}"),
               "2 operands for 3 members");
}

TEST_CASE("collective-permute") {
  CheckAccepted(Entry(kHead + "f32[8,4] collective-permute(x), source_target_pairs={{0,1},{1,0}}"));
  CheckRefused(Entry(kHead + "f32[8,4] collective-permute(x), source_target_pairs={{0,1},{2,1}}"),
               "Target 1 appears more than once in instruction's source-target pairs: r",
               "{{0,1},{2,1}}");
  CheckRefused(Entry(kHead + "f32[8,4] collective-permute(x), source_target_pairs={{0,1},{0,2}}"),
               "Source 0 appears more than once in instruction's source-target pairs: r",
               "{{0,1},{0,2}}");
  CheckRefused("HloModule m, replica_count=2\n" +
                   Entry(kHead + "f32[8,4] collective-permute(x), source_target_pairs={{0,2}}"),
               "Target 2 in the instruction's source-target pair must be < 2", "{{0,2}}");
  CheckRefused(Entry(kHead + "f32[8,4] collective-permute(x, x), source_target_pairs={{0,1}}, "
                             "slice_sizes={{1,1}}"),
               "Unexpected number of operands: 2. With slice_sizes it expects 4",
               "collective-permute");
}

TEST_CASE("send, recv, infeed, outfeed") {
  std::string head = "x = f32[8] parameter(0)  t = token[] after-all()\n";
  CheckAccepted(Entry(head + "s = (f32[8], u32[], token[]) send(x, t), channel_id=1\n"
                             "ROOT d = token[] send-done(s), channel_id=1"));
  CheckRefused(Entry(head + "s = (f32[8], u32[], token[]) send(x, t), channel_id=1\n"
                            "ROOT d = token[] send-done(s), channel_id=2"),
               "channel");
  CheckRefused(Entry(head + "s = (f32[8], u32[], token[]) send(x, x), channel_id=1\n"
                            "ROOT d = token[] send-done(s), channel_id=1"),
               "Expected operand 1 to be token-shaped, actual shape is f32[8]", "x");
  CheckRefused(Entry(head + "ROOT r = f32[8] recv(t), channel_id=1"), "(data, u32[], token[])",
               "f32[8]");
  // XLA does not look at what is written for a send or a receive, but at the data of recv.
  CheckAccepted(Entry(head + "s = f32[9] send(x, t), channel_id=1\n"
                             "d = token[] send-done(s), channel_id=1\n"
                             "r = (f32[8], token[]) recv(t), channel_id=2\n"
                             "e = (f32[7], token[]) recv-done(r), channel_id=2\n"
                             "ROOT g = f32[8] get-tuple-element(e), index=0"));
  CheckRefused(Entry(head + "ROOT i = f32[8] infeed(t)"),
               "infeed must have a non-empty tuple shape, (data, token[]), not f32[8]", "f32[8]");
  CheckRefused(
      Entry(head + "ROOT o = token[] outfeed(x, t), outfeed_shape=f32[9]"),
      "Expected outfeed shape to be equal to operand's shape f32[8], actual shape is f32[9]",
      "f32[9]");
}

}  // namespace
}  // namespace hlo
