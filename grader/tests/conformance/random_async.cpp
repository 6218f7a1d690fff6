// Asynchronous copies and reductions of CTAs in clusters: bulk and tensor copies in all directions,
// multicast, st.async and red.async, mbarriers at which threads of two CTAs arrive, and accesses to
// a peer's shared memory. Every step begins and ends at a barrier of the cluster and with a proxy
// fence of all threads, so that there is one result.
#include <cuda.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "tests/conformance/random_program.h"
#include "tests/conformance/random_text.h"

namespace conformance {
namespace {

constexpr unsigned clusters = 2, threads = 64;
constexpr unsigned steps = 22;
constexpr unsigned tile_bytes = 8192;  // of shared memory
constexpr unsigned own_bytes = 16384;  // of global memory, a CTA
constexpr unsigned most_bytes = 2048;  // of a copy
constexpr unsigned map_count = 3;

struct Element {
  CUtensorMapDataType type;
  unsigned bytes;
};
constexpr Element elements[] = {
    {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1},    {CU_TENSOR_MAP_DATA_TYPE_UINT16, 2},
    {CU_TENSOR_MAP_DATA_TYPE_UINT32, 4},   {CU_TENSOR_MAP_DATA_TYPE_INT32, 4},
    {CU_TENSOR_MAP_DATA_TYPE_UINT64, 8},   {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2},
    {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2}, {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4},
};

unsigned bytes_of(const RandomMap& map) {
  const auto* element = std::ranges::find_if(
      elements, [&](const Element& one) { return static_cast<unsigned>(one.type) == map.type; });
  return element->bytes;
}
unsigned box_bytes(const RandomMap& map) {
  unsigned bytes = bytes_of(map);
  for (unsigned i = 0; i < map.rank; ++i) bytes *= map.box[i];
  return bytes;
}

class Async {
 public:
  explicit Async(std::uint64_t seed)
      : cluster_(1u << common::SplitMix64(seed ^ 7).next() % 3),
        text_(seed, clusters * cluster_, threads, 2),
        seed_(seed) {
    text_.line(
        ".reg .b32 %tile, %mbarrier, %counted, %rank, %peer, %peer_tile, %peer_mbarrier,"
        " %peer_counted, %slot; .reg .b64 %own, %map; .reg .pred %leads, %done, %takes;");
    text_.line(".shared .align 1024 .b8 tile[", tile_bytes,
               "]; .shared .align 8 .b8 barriers[16];");
    text_.line("mov.u32 %tile, tile; mov.u32 %mbarrier, barriers; add.u32 %counted, %mbarrier, 8;");
    text_.line("mov.u32 %rank, %cluster_ctarank; add.u32 %peer, %rank, 1; and.b32 %peer, %peer, ",
               cluster_ - 1, "; mad.lo.u32 %slot, %tid32, 8, %tile;");
    for (const char* name : {"tile", "mbarrier", "counted"}) {
      text_.line("mapa.shared::cluster.u32 %peer_", name, ", %", name, ", %peer;");
    }
    text_.line("mov.u32 %word, %ctaid.x; mad.wide.u32 %own, %word, ", own_bytes,
               ", %memory; setp.eq.u32 %leads, %tid32, 0;");
    text_.line("@%leads mbarrier.init.shared::cta.b64 [%mbarrier], 1;");
    text_.line("@%leads mbarrier.init.shared::cta.b64 [%counted], ", threads, ";");
    text_.line("fence.mbarrier_init.release.cluster;");
    for (unsigned i = 0; i < tile_bytes; i += 8 * threads) {
      text_.load_input("%wide", "b64", 0);
      text_.line("mad.lo.u64 %wide, %wide, ", i + 3, ", 12345; st.shared.b64 [%slot+", i,
                 "], %wide;");
    }
    for (unsigned i = 0; i < map_count; ++i) text_.add_map(maps_.emplace_back(random_map()));
  }

  RandomProgram program() {
    for (unsigned i = 0; i < steps; ++i) {
      synchronize();
      step();
      synchronize();
      for (unsigned look = 0; look < 2; ++look) {
        text_.line("ld.shared.b64 %wide, [%slot+", 8 * threads * text_.below(tile_bytes / 512),
                   "];");
        text_.checkpoint("%wide", 64);
      }
    }
    end();
    const std::string attributes =
        ".explicitcluster\n.reqnctapercluster " + std::to_string(cluster_) + ", 1, 1\n";
    RandomProgram program = text_.finish(std::size_t{own_bytes} * clusters * cluster_, attributes);
    common::SplitMix64 random(seed_);
    for (unsigned i = 0; i < program.ctas * threads * program.input_words; ++i) {
      program.inputs.push_back(random.next());
    }
    return program;
  }

 private:
  // A tile of at most `most_bytes`, in a tensor that lies in the CTA's global memory.
  RandomMap random_map() {
    RandomMap map{};
    const Element& element = text_.one_of(elements);
    map.type = element.type;
    map.rank = 1 + text_.below(3);
    static constexpr unsigned spans[] = {16, 32, 64, 128};
    const unsigned span = text_.one_of(spans);  // bytes of the box's rows
    map.box[0] = span / element.bytes;
    map.box[1] = map.rank > 1 ? 1 + text_.below(map.rank == 3 ? 4 : 16) : 1;
    map.box[2] = map.rank > 2 ? 1 + text_.below(4) : 1;
    const unsigned row = 16 * (1 + text_.below(12));  // bytes of the tensor's rows, padded
    map.sizes[0] = 1 + text_.below(row / element.bytes);
    map.sizes[1] = map.rank > 1 ? 1 + text_.below(16) : 1;
    map.sizes[2] = map.rank > 2 ? 1 + text_.below(4) : 1;
    map.strides[0] = row;
    map.strides[1] = std::uint64_t{row} * 16;
    static constexpr unsigned swizzles[] = {0, 0, 1, 2, 3};
    const unsigned swizzle = text_.one_of(swizzles);
    constexpr unsigned widest[] = {256, 32, 64, 128};
    map.swizzle = map.rank > 1 && span <= widest[swizzle] ? swizzle : 0;
    return map;
  }

  // Of all that was accessed before, in both proxies.
  void synchronize() {
    text_.line(
        "fence.proxy.async; barrier.cluster.arrive.release.aligned;"
        " barrier.cluster.wait.acquire.aligned;");
  }

  void step() {
    switch (text_.below(10)) {
      case 0:
        return load();
      case 1:
        return multicast();
      case 2:
        return store();
      case 3:
        return reduce();
      case 4:
        return copy_to_peer();
      case 5:
        return tensor_load();
      case 6:
        return tensor_store();
      case 7:
        return change();
      case 8:
        return reach_peer();
      default:
        return arrive_at_peer();
    }
  }

  // Places of `bytes` bytes: "%tile+64".
  unsigned offset_in(unsigned whole, unsigned bytes, unsigned alignment) {
    return alignment * text_.below((whole - bytes) / alignment + 1);
  }
  std::string in_tile(unsigned bytes, unsigned alignment = 16) {
    return "%tile+" + std::to_string(offset_in(tile_bytes, bytes, alignment));
  }
  std::string in_global(unsigned bytes) {
    return "%own+" + std::to_string(offset_in(own_bytes, bytes, 16));
  }
  unsigned some_bytes() { return 16 * (1 + text_.below(most_bytes / 16)); }

  void expect(unsigned bytes, const char* who = "%leads") {
    text_.line("@", who, " mbarrier.arrive.expect_tx.shared::cta.b64 _, [%mbarrier], ", bytes, ";");
  }
  void wait(const char* mbarrier, unsigned& phase, const char* who = nullptr) {
    const std::string again = text_.label(), end = text_.label();
    if (who != nullptr) text_.line("@!", who, " bra ", end, ";");
    text_.line(again, ": mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [",
               mbarrier, "], ", phase & 1, "; @!%done bra ", again, ";");
    text_.line(end, ":");
    ++phase;
  }

  void load() {
    const unsigned pieces = 1 + text_.below(3), bytes = 16 * (1 + text_.below(40));
    const unsigned to = offset_in(tile_bytes, pieces * bytes, 16);
    expect(pieces * bytes);
    for (unsigned i = 0; i < pieces; ++i) {
      text_.line(
          "@%leads cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile+",
          to + i * bytes, "], [", in_global(bytes), "], ", bytes, ", [%mbarrier];");
    }
    wait("%mbarrier", phase_);
  }

  // One CTA's load, for those of a mask. The others wait for nothing, and have the same phase
  // because they expect nothing.
  void multicast() {
    const unsigned mask = 1 + text_.below((1u << cluster_) - 1), bytes = some_bytes();
    text_.line("shr.b32 %word, ", mask,
               ", %rank; and.b32 %word, %word, 1; setp.eq.u32 %takes,"
               " %word, 1;");
    text_.line("selp.b32 %word, ", bytes, ", 0, %takes;");
    text_.line("@%leads mbarrier.arrive.expect_tx.shared::cta.b64 _, [%mbarrier], %word;");
    text_.line("setp.eq.and.u32 %takes, %rank, ", text_.below(cluster_), ", %leads;");
    text_.line(".reg .b16 %mask", phase_, "; mov.b16 %mask", phase_, ", ", mask, ";");
    const std::string from = in_global(bytes);
    text_.line(
        "@%takes cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [",
        in_tile(bytes), "], [", from, "], ", bytes, ", [%mbarrier], %mask", phase_, ";");
    wait("%mbarrier", phase_);
  }

  void complete_group() {
    text_.line("@%leads cp.async.bulk.commit_group; @%leads cp.async.bulk.wait_group 0;");
  }

  void store() {
    const unsigned bytes = some_bytes();
    const std::string from = in_tile(bytes);
    text_.line("@%leads cp.async.bulk.global.shared::cta.bulk_group [", in_global(bytes), "], [",
               from, "], ", bytes, ";");
    complete_group();
  }

  void reduce() {
    static constexpr const char* to_global[] = {
        "add.u32", "add.s32",  "add.u64",       "min.u32",       "max.u32", "min.s32",
        "max.s32", "min.u64",  "max.s64",       "inc.u32",       "dec.u32", "and.b32",
        "or.b32",  "xor.b32",  "and.b64",       "xor.b64",       "add.f32", "add.f64",
        "min.f16", "max.bf16", "add.noftz.f16", "add.noftz.bf16"};
    static constexpr const char* to_shared[] = {"add.u32", "add.s32", "add.u64", "min.u32",
                                                "max.u32", "min.s32", "max.s32", "inc.u32",
                                                "dec.u32", "and.b32", "or.b32",  "xor.b32"};
    const unsigned bytes = some_bytes();
    if (text_.chance(50)) {
      const std::string from = in_tile(bytes), to = in_global(bytes);
      text_.line("@%leads cp.reduce.async.bulk.global.shared::cta.bulk_group.",
                 text_.one_of(to_global), " [", to, "], [", from, "], ", bytes, ";");
      return complete_group();
    }
    // What is read is in the lower half of each tile, what is changed in the upper.
    expect(bytes);
    const unsigned from = offset_in(tile_bytes / 2, bytes, 16);
    const unsigned to = offset_in(tile_bytes / 2, bytes, 16);
    text_.line(
        "@%leads cp.reduce.async.bulk.shared::cluster.shared::cta"
        ".mbarrier::complete_tx::bytes.",
        text_.one_of(to_shared), " [%peer_tile+", tile_bytes / 2 + to, "], [%tile+", from, "], ",
        bytes, ", [%peer_mbarrier];");
    wait("%mbarrier", phase_);
  }

  void copy_to_peer() {
    const unsigned bytes = some_bytes();
    expect(bytes);
    const unsigned from = offset_in(tile_bytes / 2, bytes, 16);
    const unsigned to = offset_in(tile_bytes / 2, bytes, 16);
    text_.line(
        "@%leads cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"
        " [%peer_tile+",
        tile_bytes / 2 + to, "], [%tile+", from, "], ", bytes, ", [%peer_mbarrier];");
    wait("%mbarrier", phase_);
  }

  // Picks a map, with its address in %map and coordinates that may overhang; those of a load also
  // at the tensor's beginning. The first one is of a multiple of 16 bytes.
  const RandomMap& take_map(bool is_load, std::string& coordinates) {
    const unsigned index = text_.below(map_count);
    const RandomMap& map = maps_[index];
    text_.line(
        "ld.param.u64 %map, [maps]; mov.u32 %word, %ctaid.x; mad.wide.u32 %map, %word, 128,"
        " %map; add.u64 %map, %map, ",
        128 * clusters * cluster_ * index, ";");
    for (unsigned i = 0; i < map.rank; ++i) {
      const int step = i == 0 ? static_cast<int>(16 / bytes_of(map)) : 1;
      const int box = static_cast<int>(map.box[i]), size = static_cast<int>(map.sizes[i]);
      const int least = is_load ? -box / step : 0;
      const int choices = size / step - least + 1;
      const int coordinate =
          step * (least + static_cast<int>(text_.below(static_cast<unsigned>(choices))));
      coordinates += (i == 0 ? "" : ", ") + std::to_string(text_.chance(30) ? 0 : coordinate);
    }
    return map;
  }

  void tensor_load() {
    std::string coordinates;
    const RandomMap& map = take_map(true, coordinates);
    expect(box_bytes(map));
    text_.line("@%leads cp.async.bulk.tensor.", map.rank,
               "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [",
               in_tile(most_bytes, 1024), "], [%map, {", coordinates, "}], [%mbarrier];");
    wait("%mbarrier", phase_);
  }

  void tensor_store() {
    static constexpr const char* reductions[] = {"add", "min", "max", "and", "or", "xor"};
    std::string coordinates;
    const RandomMap& map = take_map(false, coordinates);
    const bool is_byte =
        map.type == CU_TENSOR_MAP_DATA_TYPE_UINT8 || map.type == CU_TENSOR_MAP_DATA_TYPE_UINT16;
    const bool is_float = map.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 ||
                          map.type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 ||
                          map.type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    const bool reduces = !is_byte && text_.chance(50);
    const char* reduction = is_float ? "add" : text_.one_of(reductions);
    text_.line("@%leads cp", reduces ? ".reduce" : "", ".async.bulk.tensor.", map.rank,
               "d.global.shared::cta", reduces ? "." : "", reduces ? reduction : "",
               ".tile.bulk_group [%map, {", coordinates, "}], [", in_tile(most_bytes, 1024), "];");
    complete_group();
  }

  // Ordinary stores, of all threads.
  void change() {
    const unsigned place = 8 * threads * text_.below(tile_bytes / 512);
    text_.load_input("%wide", "b64", 1);
    const unsigned addend = text_.below(1000);
    text_.line("mad.lo.u64 %wide, %wide, ", text_.below(1000) | 1, ", ", addend,
               "; st.shared.b64 [%slot+", place, "], %wide;");
    if (text_.chance(50)) {
      text_.line("mad.wide.u32 %map, %tid32, 8, %own; st.global.b64 [%map+",
                 8 * threads * text_.below(own_bytes / 512), "], %wide;");
    }
  }

  // A thread's slot in the peer's tile.
  void reach_peer() {
    const std::string at = text_.reg("b32"), value = text_.reg("b32");
    const unsigned place = 8 * threads * text_.below(tile_bytes / 512);
    text_.line("mad.lo.u32 ", at, ", %tid32, 8, %peer_tile; ld.shared.b32 ", value, ", [%slot+",
               place, "];");
    synchronize();
    switch (text_.below(5)) {
      case 0:
        return text_.line("st.shared::cluster.b32 [", at, "+", place, "], ", value, ";");
      case 1: {
        static constexpr const char* changes[] = {"add.u32", "max.s32", "xor.b32", "exch.b32"};
        text_.line("atom.shared::cluster.", text_.one_of(changes), " ", value, ", [", at, "+",
                   place, "], ", value, ";");
        return text_.checkpoint(value, 32);
      }
      case 2:
        text_.line("ld.shared::cluster.b32 ", value, ", [", at, "+", place, "];");
        return text_.checkpoint(value, 32);
      case 3:
        expect(4 * threads);
        text_.line("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [", at, "+", place,
                   "], ", value, ", [%peer_mbarrier];");
        return wait("%mbarrier", phase_);
      default: {
        static constexpr const char* changes[] = {"add.u32", "min.s32", "xor.b32", "inc.u32"};
        expect(4 * threads);
        text_.line("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.",
                   text_.one_of(changes), " [", at, "+", place, "], ", value,
                   ", [%peer_mbarrier];");
        return wait("%mbarrier", phase_);
      }
    }
  }

  // All threads arrive at the peer's mbarrier, or half of them for two.
  void arrive_at_peer() {
    if (text_.chance(50)) {
      text_.line("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%peer_counted];");
    } else {
      text_.line(
          "and.b32 %word, %tid32, 1; setp.eq.u32 %takes, %word, 0; @%takes mbarrier.arrive"
          ".release.cluster.shared::cluster.b64 _, [%peer_counted], 2;");
    }
    wait("%counted", counted_phase_);
  }

  void end() {
    const std::string sum = text_.reg("b64");
    text_.line("mov.b64 ", sum, ", 1;");
    for (unsigned i = 0; i < tile_bytes; i += 8 * threads) {
      text_.line("ld.shared.b64 %wide, [%slot+", i, "]; mad.lo.u64 ", sum, ", ", sum,
                 ", 31, %wide;");
    }
    text_.checkpoint(sum, 64);
    synchronize();
  }

  unsigned cluster_;
  KernelText text_;
  std::uint64_t seed_;
  std::vector<RandomMap> maps_;
  unsigned phase_ = 0, counted_phase_ = 0;
};

}  // namespace

RandomProgram random_async(std::uint64_t seed) {
  return Async(seed).program();
}

}  // namespace conformance
