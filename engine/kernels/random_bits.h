// Random bits from a key and a counter: block n of a stream depends on nothing but key, counter and
// n. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011);
// rounds and word order as XLA has them (prng.cc).
#ifndef HLO_ENGINE_KERNELS_RANDOM_BITS_H_
#define HLO_ENGINE_KERNELS_RANDOM_BITS_H_

#include <cstdint>

namespace hlo {

/// Philox4x32 with 10 rounds: words[4 n + i] is word i of the block of the 128-bit counter
/// (low, high) + n, for n < blocks. The key's low half is its first word.
void PhiloxBlocks(uint64_t key, uint64_t low, uint64_t high, int64_t blocks, uint32_t* words);

/// ThreeFry2x32 with 20 rounds: (first[n], second[n]) is the block of counter + n, for n < blocks.
/// The low halves of key and counter are the first words.
void ThreeFryBlocks(uint64_t key, uint64_t counter, int64_t blocks, uint32_t* first,
                    uint32_t* second);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_RANDOM_BITS_H_
