// What the checker asks about one access and each that it comes upon.
#pragma once

#include <array>
#include <optional>

#include "emulator/check/conflict.h"
#include "emulator/check/memory_checker.h"

namespace tmaemu::check {

class AccessRules final : public Rules {
 public:
  // `record`: of what is asked about. `access`: of threads; null for operations.
  AccessRules(MemoryChecker& checker, std::uint32_t record, bool is_global, bool writes,
              const events::Access* access);

  // What follows is about these bytes.
  void begin_span(const MemoryChecker::Span& span) { span_ = span; }
  // What follows is about the block whose first byte is so many bytes behind the span's first one;
  // negative numbers wrap around.
  void begin_block(std::uint64_t from_span) { block_ = from_span; }

  void meets(const Earlier& earlier, const Entry& now, unsigned byte, unsigned bytes) override;
  bool is_settled(std::uint32_t record) override;
  bool is_kept_write(std::uint32_t record) override;
  bool is_weak_write(std::uint32_t record) override {
    return record != 0 && !records_[record].order.is_strong();
  }
  bool concerns_kept_write(std::uint32_t record) override {
    return !records_[record].reduces || !writes_;
  }
  void comes_behind(const Entry& writer, const Entry& now, unsigned byte) override;
  void meets_nobody(const Entry& now, unsigned byte, unsigned bytes) override;

 private:
  const Order& order() const { return checker_.state_.order; }
  ThreadId thread(const Entry& now) const { return now_.thread(now.lane); }
  bool is_own(const Record& record) const { return record.cluster == checker_.state_.number; }
  bool are_of_one_line(const Record& a, const Record& b) const {
    return checker_.state_.launch.facts->are_of_one_line(a.site, b.site);
  }
  bool replaces(const Record& earlier, std::uint32_t number) const;
  void note_replaced(std::uint32_t number);
  const Clock& fenced_of(const Knowledge& knowledge, const Record& earlier) const;
  bool is_same_thread(const Record& earlier, unsigned lane, ThreadId thread) const;
  bool is_done(const Record& earlier, unsigned lane, ThreadId thread) const;
  bool has_been_read(const Record& read, unsigned lane, ThreadId thread) const;
  bool is_copied(const Record& copy, unsigned lane, ThreadId thread) const;
  bool are_all_copied(const Record& copy, const Clock& done) const;
  bool is_fenced(const Record& earlier, unsigned lane, ThreadId thread) const;
  bool was_served(const Earlier& earlier) const;
  bool is_next_lap(const Earlier& earlier, ThreadId thread) const;
  bool knew_before(const Record& load, ThreadId thread) const;
  bool is_what_was_waited_for(const Record& replaced, ThreadId thread) const;
  bool writes_the_same(const Earlier& earlier, const Entry& now) const;
  // Who wrote before a reduction that the access comes upon.
  void meet_followed(const Record& reduction);
  struct Toucher {
    Entry who;
    unsigned byte = 0;  // of the block
  };
  std::optional<Toucher> toucher_of(const Writer& written) const;
  void blame(const Conflict& conflict, const Verdict& verdict, const Earlier& earlier,
             const Entry& now, unsigned byte);
  // `wrote`: whether the access of the record that it is told of wrote the bytes.
  Finding finding_of(const Record& record, bool wrote, unsigned lane, Sentence sentence,
                     unsigned byte) const;
  // Whether the access reads through the read-only cache what the earlier one has written.
  bool bypasses_write(const Record& earlier) const;
  Note note_of(const Record& record, unsigned lane, NoteSentence sentence, unsigned byte) const;
  std::uint64_t address_of(unsigned byte) const { return span_.address + block_ + byte; }
  void meets_fresh_memory(const Entry& now, unsigned byte, unsigned bytes);
  bool writes_mbarrier(unsigned byte, unsigned bytes, const Entry& now, const Record& earlier);

  MemoryChecker& checker_;
  MemoryChecker::Span span_;
  const Records& records_;
  const Record now_;
  bool writes_;
  const events::Access* access_;
  bool is_uniform_ = true;  // all lanes know the same
  std::uint64_t block_ = 0;
  bool is_behind_known_ = false;     // comes_behind() was asked
  std::uint32_t looked_behind_ = 0;  // the last record whose predecessors were looked at,
  std::uint64_t looked_at_ = 0;      // and the block's first address
  std::uint32_t replaced_ = 0;       // the record of the first write that a load came upon
  // The last answers of is_settled.
  struct Settled {
    std::uint32_t record = 0;
    bool answer = false;
  };
  std::array<Settled, 4> settled_{};
};

}  // namespace tmaemu::check
