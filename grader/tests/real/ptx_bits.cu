// cuda::ptx: bit instructions (bfind, bmsk, prmt, shl, shr) and shuffles.
#include <algorithm>
#include <cuda/ptx>

#include "real_test.h"

namespace ptx = cuda::ptx;
using namespace real_test;

constexpr int threads = 128;

struct Results {
  unsigned find, find_wide, find_signed, shift, mask, mask_wrapped;
  unsigned permuted, forward, backward, replicated, left, right, replicated16;
  unsigned short left16, right16;
  short right16_signed;
  unsigned left32, right32;
  int right32_signed;
  unsigned long long left64, right64;
  long long right64_signed;
};

__global__ void on_device(const unsigned* in, Results* out) {
  const unsigned a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  const unsigned long long wide = (static_cast<unsigned long long>(a) << 32) | b;
  const unsigned by = b % 80;
  Results r{};
  r.find = ptx::bfind(a);
  r.find_wide = ptx::bfind(static_cast<uint64_t>(wide));
  r.find_signed = ptx::bfind(static_cast<int>(a));
  r.shift = ptx::bfind_shiftamt(a);
  r.mask = ptx::bmsk_clamp(a % 40, b % 40);
  r.mask_wrapped = ptx::bmsk_wrap(a % 40, b % 40);
  r.permuted = ptx::prmt(a, b, b);
  r.forward = ptx::prmt_f4e(a, b, a);
  r.backward = ptx::prmt_b4e(a, b, a);
  r.replicated = ptx::prmt_rc8(a, b, a);
  r.left = ptx::prmt_ecl(a, b, a);
  r.right = ptx::prmt_ecr(a, b, a);
  r.replicated16 = ptx::prmt_rc16(a, b, a);
  r.left16 = ptx::shl(static_cast<uint16_t>(a), by);
  r.right16 = ptx::shr(static_cast<uint16_t>(a), by);
  r.right16_signed = ptx::shr(static_cast<int16_t>(a), by);
  r.left32 = ptx::shl(a, by);
  r.right32 = ptx::shr(a, by);
  r.right32_signed = ptx::shr(static_cast<int>(a), by);
  r.left64 = ptx::shl(static_cast<uint64_t>(wide), by);
  r.right64 = ptx::shr(static_cast<uint64_t>(wide), by);
  r.right64_signed = ptx::shr(static_cast<int64_t>(wide), by);
  out[threadIdx.x] = r;
}

unsigned highest_bit(unsigned long long x) {
  unsigned found = ~0u;
  for (unsigned i = 0; i < 64; ++i) found = (x >> i & 1) != 0 ? i : found;
  return found;
}
unsigned ones(unsigned first, unsigned count) {
  unsigned mask = 0;
  for (unsigned i = first; i < 32 && i < first + count; ++i) mask |= 1u << i;
  return mask;
}
// PTX ISA, "prmt": byte k of the result is the byte of {b, a} that selector k names.
unsigned permute(unsigned a, unsigned b, const int (&selectors)[4]) {
  const unsigned long long bytes = (static_cast<unsigned long long>(b) << 32) | a;
  unsigned result = 0;
  for (int k = 0; k < 4; ++k) {
    unsigned byte = bytes >> 8 * (selectors[k] & 7) & 0xFF;
    if (selectors[k] & 8) byte = byte & 0x80 ? 0xFF : 0;
    result |= byte << 8 * k;
  }
  return result;
}
template <class T>
T shifted_left(T x, unsigned by) {
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(x << by);
}
template <class T>
T shifted_right(T x, unsigned by) {
  if (by < 8 * sizeof(T)) return static_cast<T>(x >> by);
  return std::is_signed_v<T> ? static_cast<T>(x >> (8 * sizeof(T) - 1)) : T{0};
}

Results on_host(unsigned a, unsigned b) {
  const unsigned long long wide = (static_cast<unsigned long long>(a) << 32) | b;
  const unsigned by = b % 80;
  const int m = static_cast<int>(a & 3), half = static_cast<int>(a & 1) * 2;
  Results r{};
  r.find = highest_bit(a);
  r.find_wide = highest_bit(wide);
  r.find_signed = highest_bit(static_cast<int>(a) < 0 ? ~a : a);
  r.shift = a == 0 ? ~0u : 31 - highest_bit(a);
  r.mask = ones(a % 40, b % 40);
  r.mask_wrapped = ones(a % 40 % 32, b % 40 % 32);
  r.permuted = permute(a, b,
                       {static_cast<int>(b & 15), static_cast<int>(b >> 4 & 15),
                        static_cast<int>(b >> 8 & 15), static_cast<int>(b >> 12 & 15)});
  r.forward = permute(a, b, {m, m + 1, m + 2, m + 3});
  r.backward = permute(a, b, {m, (m + 7) % 8, (m + 6) % 8, (m + 5) % 8});
  r.replicated = permute(a, b, {m, m, m, m});
  r.left = permute(a, b, {std::max(m, 0), std::max(m, 1), std::max(m, 2), 3});
  r.right = permute(a, b, {0, std::min(m, 1), std::min(m, 2), std::min(m, 3)});
  r.replicated16 = permute(a, b, {half, half + 1, half, half + 1});
  r.left16 = shifted_left(static_cast<unsigned short>(a), by);
  r.right16 = shifted_right(static_cast<unsigned short>(a), by);
  r.right16_signed = shifted_right(static_cast<short>(a), by);
  r.left32 = shifted_left(a, by);
  r.right32 = shifted_right(a, by);
  r.right32_signed = shifted_right(static_cast<int>(a), by);
  r.left64 = shifted_left(wide, by);
  r.right64 = shifted_right(wide, by);
  r.right64_signed = shifted_right(static_cast<long long>(wide), by);
  return r;
}

__global__ void shuffles(const unsigned* in, unsigned* out) {
  const unsigned value = in[threadIdx.x];
  bool valid[4];
  const unsigned sum = ptx::shfl_sync_idx(value, valid[0], 5, 31, ~0u) +
                       3 * ptx::shfl_sync_up(value, valid[1], 3, 0, ~0u) +
                       5 * ptx::shfl_sync_down(value, valid[2], 4, 31, ~0u) +
                       7 * ptx::shfl_sync_bfly(value, valid[3], 9, 31, ~0u);
  out[threadIdx.x] = sum + valid[0] + 2 * valid[1] + 4 * valid[2] + 8 * valid[3];
}

int main() {
  std::vector<unsigned> values = any_values<unsigned>(2 * threads);
  values[0] = values[1] = 0;
  values[2] = ~0u;
  const DeviceArray<unsigned> in(values), shuffled(32);
  const DeviceArray<Results> out(threads);
  on_device<<<1, threads>>>(in.data(), out.data());
  const std::vector<Results> got = out.values();
  for (int t = 0; t < threads; ++t) {
    const Results expected = on_host(values[2 * t], values[2 * t + 1]);
#define SAME(field) CHECK(got[t].field == expected.field)
    SAME(find), SAME(find_wide), SAME(find_signed), SAME(shift), SAME(mask), SAME(mask_wrapped);
    SAME(permuted), SAME(forward), SAME(backward), SAME(replicated), SAME(left), SAME(right);
    SAME(replicated16), SAME(left16), SAME(right16), SAME(right16_signed), SAME(left32);
    SAME(right32), SAME(right32_signed), SAME(left64), SAME(right64), SAME(right64_signed);
  }

  shuffles<<<1, 32>>>(in.data(), shuffled.data());
  std::vector<unsigned> expected;
  for (unsigned i = 0; i < 32; ++i) {
    expected.push_back(values[5] + 3 * values[i >= 3 ? i - 3 : i] +
                       5 * values[i + 4 < 32 ? i + 4 : i] + 7 * values[i ^ 9] + 1 +
                       (i >= 3 ? 2 : 0) + (i + 4 < 32 ? 4 : 0) + 8);
  }
  expect_equal("shuffles", shuffled, expected);
  return runtime_test::result();
}
