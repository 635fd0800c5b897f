#include "engine/kernels/random_bits.h"

#include <algorithm>

namespace hlo {
namespace {

// Blocks advance side by side, so that their rounds share instructions.
constexpr int kLanes = 8;

uint32_t Low(uint64_t word) { return static_cast<uint32_t>(word); }
uint32_t High(uint64_t word) { return static_cast<uint32_t>(word >> 32); }

struct PhiloxLanes {
  uint32_t c0[kLanes], c1[kLanes], c2[kLanes], c3[kLanes];

  void SetCounters(uint64_t low, uint64_t high) {
    for (int i = 0; i < kLanes; ++i) {
      const uint64_t sum = low + static_cast<uint64_t>(i);
      const uint64_t carried = high + (sum < low ? 1 : 0);
      c0[i] = Low(sum);
      c1[i] = High(sum);
      c2[i] = Low(carried);
      c3[i] = High(carried);
    }
  }
  void Round(uint32_t k0, uint32_t k1) {
    for (int i = 0; i < kLanes; ++i) {
      const uint64_t p0 = uint64_t{0xD2511F53} * c0[i];
      const uint64_t p1 = uint64_t{0xCD9E8D57} * c2[i];
      c0[i] = High(p1) ^ c1[i] ^ k0;
      c1[i] = Low(p1);
      c2[i] = High(p0) ^ c3[i] ^ k1;
      c3[i] = Low(p0);
    }
  }
  void Run(uint64_t key) {
    uint32_t k0 = Low(key), k1 = High(key);
    for (int round = 0; round < 10; ++round) {
      Round(k0, k1);
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
  }
};

uint32_t RotateLeft(uint32_t word, int bits) { return (word << bits) | (word >> (32 - bits)); }

struct ThreeFryLanes {
  uint32_t x0[kLanes], x1[kLanes];

  void SetCounters(uint64_t counter) {
    for (int i = 0; i < kLanes; ++i) {
      x0[i] = Low(counter + static_cast<uint64_t>(i));
      x1[i] = High(counter + static_cast<uint64_t>(i));
    }
  }
  void AddKeys(uint32_t to_x0, uint32_t to_x1) {
    for (int i = 0; i < kLanes; ++i) {
      x0[i] += to_x0;
      x1[i] += to_x1;
    }
  }
  void FourRounds(int r0, int r1, int r2, int r3) {
    for (int i = 0; i < kLanes; ++i) {
      uint32_t a = x0[i], b = x1[i];
      a += b;
      b = RotateLeft(b, r0) ^ a;
      a += b;
      b = RotateLeft(b, r1) ^ a;
      a += b;
      b = RotateLeft(b, r2) ^ a;
      a += b;
      b = RotateLeft(b, r3) ^ a;
      x0[i] = a;
      x1[i] = b;
    }
  }
  void Run(uint64_t key) {
    const uint32_t keys[3] = {Low(key), High(key), 0x1BD11BDA ^ Low(key) ^ High(key)};
    AddKeys(keys[0], keys[1]);
    for (uint32_t group = 0; group < 5; ++group) {
      if (group % 2 == 0) {
        FourRounds(13, 15, 26, 6);
      } else {
        FourRounds(17, 29, 16, 24);
      }
      AddKeys(keys[(group + 1) % 3], keys[(group + 2) % 3] + group + 1);
    }
  }
};

}  // namespace

void PhiloxBlocks(uint64_t key, uint64_t low, uint64_t high, int64_t blocks, uint32_t* words) {
  for (int64_t done = 0; done < blocks; done += kLanes) {
    PhiloxLanes lanes;
    lanes.SetCounters(low, high);
    lanes.Run(key);
    const int count = static_cast<int>(std::min<int64_t>(kLanes, blocks - done));
    for (int i = 0; i < count; ++i) {
      uint32_t* const block = words + 4 * (done + i);
      block[0] = lanes.c0[i];
      block[1] = lanes.c1[i];
      block[2] = lanes.c2[i];
      block[3] = lanes.c3[i];
    }
    low += kLanes;
    high += low < kLanes ? 1 : 0;
  }
}

void ThreeFryBlocks(uint64_t key, uint64_t counter, int64_t blocks, uint32_t* first,
                    uint32_t* second) {
  for (int64_t done = 0; done < blocks; done += kLanes) {
    ThreeFryLanes lanes;
    lanes.SetCounters(counter);
    lanes.Run(key);
    const int64_t count = std::min<int64_t>(kLanes, blocks - done);
    std::copy(lanes.x0, lanes.x0 + count, first + done);
    std::copy(lanes.x1, lanes.x1 + count, second + done);
    counter += kLanes;
  }
}

}  // namespace hlo
