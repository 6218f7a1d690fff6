// What the checker asks about one access and each that it comes upon.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/check/access_context.h"
#include "emulator/check/conflict.h"
#include "emulator/check/conflict_report.h"
#include "emulator/check/lap_rules.h"
#include "emulator/check/shadow.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {

// What an operation has read that it should not have.
struct UnwrittenBytes {
  std::uint64_t in_shared = 0;  // that nobody has written
  std::uint64_t in_global = 0;  // that nobody has written since they were allocated
};

class AccessRules final : public Rules {
 public:
  AccessRules(const AccessContext& context, const CheckedAccess& checked);

  // Puts there what is_settled() is asked of and may have written shared memory, from now on.
  void collect_writes(std::vector<std::uint32_t>& writes) { writes_ = &writes; }
  // What follows is about these bytes, until the next call.
  void begin_span(const AccessedBytes& span) {
    span_ = &span;
    if (!checked_.is_global) place_.rank = shared_rank(static_cast<std::uint32_t>(span.address));
  }
  // What follows is about the block whose first byte is so many bytes behind the span's first one;
  // negative numbers wrap around.
  void begin_block(std::uint64_t from_span) { block_ = span_->address + from_span; }
  // Of operations; what threads read is reported at once.
  const UnwrittenBytes& unwritten() const { return unwritten_; }

  // The lanes read what this launch has not written.
  void reads_unwritten_global(const BlockAccess& access);
  // is_settled() of a read of global memory.
  bool is_read_over(std::uint32_t access) { return !is_alone_ && is_settled(access); }

  void meets(const Earlier& earlier, const Accessor& now, unsigned byte, unsigned bytes) override;
  bool is_settled(std::uint32_t access) override;
  bool is_read_by_itself(const Mark& read, const Mark& now) override;
  bool is_kept_write(std::uint32_t access) override;
  bool is_weak_write(std::uint32_t access) override {
    return access != 0 && !history_[access].order().is_strong();
  }
  bool concerns_kept_write(std::uint32_t access) override {
    return !history_[access].reduces || !checked_.writes;
  }
  void follows(const Accessor& writer, const Accessor& now, unsigned byte) override;
  void reads_unwritten(const Accessor& now, unsigned byte, unsigned bytes) override;

 private:
  std::uint64_t address_of(unsigned byte) const { return block_ + byte; }
  ReportedBytes byte_at(unsigned byte) const { return {checked_.is_global, address_of(byte)}; }
  bool replaces(const PastAccess& earlier, std::uint32_t number) const;
  void note_replaced(std::uint32_t number);
  bool are_all_ordered(const PastAccess& earlier) const;
  void collect(const PastAccess& earlier, std::uint32_t number);
  // Whether the access reads through the read-only cache what the earlier one has written.
  bool bypasses_write(const PastAccess& earlier) const;
  // Whether it is right to access an mbarrier so.
  bool checks_mbarrier(const PastAccess& mbarrier, const Accessor& now, unsigned byte,
                       unsigned bytes);
  bool writes_the_same(const Earlier& earlier, const Accessor& now) const;
  // Who wrote before a reduction that the access comes upon.
  void meet_followed(const PastAccess& reduction);
  void reads_fresh_memory(const Accessor& now, unsigned byte, unsigned bytes);

  const AccessContext& context_;
  const CheckedAccess checked_;
  const AccessHistory& history_;
  const PastAccess& now_;
  const AccessOrder order_;
  const LapRules laps_;
  const bool is_alone_;     // no thread of the cluster knows of anything that others have done
  bool is_uniform_ = true;  // all lanes know the same
  const AccessedBytes* span_ = nullptr;
  MemoryPlace place_;
  std::uint64_t block_ = 0;  // the address of the block's first byte
  UnwrittenBytes unwritten_;
  bool is_following_known_ = false;  // follows() was asked
  std::uint32_t looked_behind_ = 0;  // the last access whose predecessors were looked at,
  std::uint64_t looked_at_ = 0;      // and the block's first address
  std::vector<std::uint32_t>* writes_ = nullptr;
  std::uint32_t replaced_ = 0;  // the first write that an operation came upon
  // The last answers of is_settled().
  struct Settled {
    std::uint32_t access = 0;
    bool answer = false;
  };
  std::array<Settled, 4> settled_{};
};

}  // namespace tmaemu::check
