#include "emulator/check/access_rules.h"

#include <algorithm>
#include <utility>

#include "common/hexadecimal.h"
#include "emulator/memory/address_space.h"
#include "emulator/model/h200.h"

namespace tmaemu::check {

using Kind = Record::Kind;

AccessRules::AccessRules(MemoryChecker& checker, std::uint32_t record, bool is_global, bool writes,
                         const events::Access* access)
    : checker_(checker),
      records_(is_global ? checker.state_.launch.records : checker.records_),
      now_(records_[record]),
      writes_(writes),
      access_(access) {
  if (access == nullptr || order().is_pristine()) return;
  const Known& first = order().known(now_.thread(access->lanes.front().lane));
  is_uniform_ = std::ranges::all_of(access->lanes, [&](const events::LaneAddress& lane) {
    return order().known(now_.thread(lane.lane)) == first;
  });
}

// What the async proxy sees of the memory that is accessed, of what the earlier one did there.
const Clock& AccessRules::fenced_of(const Knowledge& knowledge, const Record& earlier) const {
  if (span_.is_global) return knowledge[View::fenced_global];
  const bool is_own = earlier.rank == shared_rank(static_cast<std::uint32_t>(span_.address));
  return is_own ? knowledge[View::fenced_own] : knowledge[View::fenced_shared];
}

bool AccessRules::is_same_thread(const Record& earlier, unsigned lane, ThreadId thread) const {
  return is_own(earlier) && earlier.thread(lane) == thread;
}

bool AccessRules::is_done(const Record& earlier, unsigned lane, ThreadId thread) const {
  if (earlier.kind == Kind::copy) return is_copied(earlier, lane, thread);
  // A load is in no group; but waiting for a group waits for what read a map before. CUTLASS does
  // so before it changes one. PTX ISA, "cp.async.bulk.wait_group".
  if (earlier.reads_map && earlier.kind == Kind::load) {
    const Actor groups{earlier.cta, earlier.first, Actor::Track::bulk_reads};
    if (order().knows(thread, groups, earlier.target)) return true;
  }
  if (earlier.is_done_later()) return order().knows(thread, earlier.completion, earlier.completed);
  return is_same_thread(earlier, lane, thread) ||
         order().knows(thread, earlier.issuer(lane), earlier.time);
}

// What a thread had read before it exchanged values with others, and these told of it, it has read.
bool AccessRules::has_been_read(const Record& read, unsigned lane, ThreadId thread) const {
  return is_own(read) && order().has_been_read(thread, read.thread(lane), read.time);
}

// A copy is done for its thread when that has waited for it; for others, when they know of the
// thread from then on, or of an arrival that was to follow the copy.
bool AccessRules::is_copied(const Record& copy, unsigned lane, ThreadId thread) const {
  if (order().knows(thread, copy.completion_of(lane), copy.completed)) return true;
  if (!is_own(copy)) return false;
  const ThreadId issuer = copy.thread(lane);
  const auto moment = checker_.copies_[checker_.state_.slot(issuer)].moment_done(copy.completed);
  return moment && (issuer == thread || order().knows(thread, copy.issuer(lane), *moment));
}

// The same of all lanes, if one number says it.
bool AccessRules::are_all_copied(const Record& copy, const Clock& done) const {
  if (!is_own(copy)) return false;
  Time last = 0;
  for (unsigned lane = 0; lane < warp_size && copy.first + lane < checker_.state_.threads_per_cta;
       ++lane) {
    const auto moment =
        checker_.copies_[checker_.state_.slot(copy.thread(lane))].moment_done(copy.completed);
    if (!moment) return false;
    last = std::max(last, *moment);
  }
  return done.knows_all_of(copy.cta, last);
}

// Whether a proxy fence covers an earlier access.
bool AccessRules::is_fenced(const Record& earlier, unsigned lane, ThreadId thread) const {
  const Knowledge& knowledge = *order().known(thread);
  const Clock& fenced = fenced_of(knowledge, earlier);
  const bool is_received =
      !span_.is_global && earlier.rank != shared_rank(static_cast<std::uint32_t>(span_.address));
  const Actor actor = earlier.is_done_later() ? earlier.completion_of(lane) : earlier.issuer(lane);
  const Time time = earlier.is_done_later() ? earlier.completed : earlier.time;
  if (is_received && knowledge[View::fenced_received].knows(actor, time)) return true;
  if (earlier.kind == Kind::copy && is_own(earlier)) {
    const auto moment =
        checker_.copies_[checker_.state_.slot(earlier.thread(lane))].moment_done(earlier.completed);
    if (moment && fenced.knows(earlier.issuer(lane), *moment)) return true;
  }
  return fenced.knows(actor, time);
}

// Of atomics, those of another CTA that nothing orders before this access; in global memory, where
// counters are read again by who came last, none.
bool AccessRules::is_kept_write(std::uint32_t record) {
  const Record& earlier = records_[record];
  if (earlier.kind != Kind::plain || !earlier.writes) return false;
  if (!earlier.reduces) return true;
  return !span_.is_global && earlier.cta != now_.cta && !is_settled(record);
}

// Whether what is written now is worth being remembered as coming behind that: what the engine
// writes over anything, and what a warp writes again at the same instruction.
bool AccessRules::replaces(const Record& earlier, std::uint32_t number) const {
  if (!writes_ || span_.is_global || replaced_ != 0) return false;
  if (now_.is_done_later()) return true;
  return now_.kind == Kind::plain && earlier.kind == Kind::plain && earlier.first == now_.first &&
         number != span_.mark.record && are_of_one_line(earlier, now_);
}

void AccessRules::note_replaced(std::uint32_t number) {
  replaced_ = number;
  checker_.records_.set_replaced(span_.mark.record, number);
}

// Whether all lanes of an earlier access are known to all lanes of this one, and no proxy fence is
// asked for: then there is nothing to look at.
bool AccessRules::is_settled(std::uint32_t number) {
  const Record& earlier = records_[number];
  if (earlier.follows.entry.record != 0 &&
      (looked_behind_ != number || looked_at_ != address_of(0))) {
    looked_behind_ = number;
    looked_at_ = address_of(0);
    meet_followed(earlier);
  }
  if (!is_uniform_ || bypasses_write(earlier)) return false;
  Settled& known = settled_[number % settled_.size()];
  if (known.record == number) return known.answer;
  const unsigned lane = access_ == nullptr ? 0 : access_->lanes.front().lane;
  const Knowledge& knowledge = *order().known(now_.thread(lane));
  const bool needs_fence = now_.is_async_proxy() && !earlier.is_async_proxy();
  bool answer = false;
  if (earlier.kind == Kind::mbarrier) {
    answer = !writes_;
  } else if (earlier.kind == Kind::copy) {
    answer = !needs_fence && are_all_copied(earlier, knowledge[View::done]);
  } else if (earlier.is_done_later()) {
    answer = !needs_fence && knowledge[View::done].knows(earlier.completion, earlier.completed);
  } else {
    const Clock& fenced = fenced_of(knowledge, earlier);
    answer = knowledge[View::done].knows_all_of(earlier.cta, earlier.time) &&
             (!needs_fence || fenced.knows_all_of(earlier.cta, earlier.time));
  }
  if (answer && replaces(earlier, number)) note_replaced(number);
  known = {number, answer};
  return answer;
}

// Reductions do each other no harm, and memory remembers the last one; but who reads what they add
// up to has to come behind all of them, and all of them behind who wrote the first value.
void AccessRules::comes_behind(const Entry& writer, const Entry& now, unsigned byte) {
  if (std::exchange(is_behind_known_, true) || writer.record == 0) return;
  if (now.record != checker_.fresh_record_) return;  // others may see its number
  const Record& before = records_[writer.record];
  Writer followed{writer, address_of(byte)};
  if (before.is_contiguous) followed = {writer, before.target, before.bytes};
  if (before.reduces) {
    // Who looks at an atomic's answer may know by it who came before: that it is the last, for
    // example.
    const bool looks = checker_.state_.launch.facts->is_answered(now_.site);
    if (looks || is_done(before, writer.lane, thread(now))) followed = before.follows;
  }
  if (followed.entry.record == 0) return;
  Records& records = span_.is_global ? checker_.state_.launch.records : checker_.records_;
  records.set_followed(now.record, followed);
}

// Who of the access touches the first of these bytes that it touches in the block, and at which
// place of the block that is.
std::optional<AccessRules::Toucher> AccessRules::toucher_of(const Writer& written) const {
  const std::uint64_t begin = std::max(written.address, address_of(0));
  const std::uint64_t end = std::min(written.address + written.bytes, address_of(block_bytes));
  const auto touched = [&](const Entry& who, std::uint64_t address,
                           std::uint64_t bytes) -> std::optional<Toucher> {
    const std::uint64_t first = std::max(begin, address);
    if (first >= std::min(end, address + bytes)) return std::nullopt;
    return Toucher{who, static_cast<unsigned>(first - address_of(0))};
  };
  if (access_ == nullptr) return touched(span_.mark.at(0), span_.address, span_.bytes);
  for (const events::LaneAddress& lane : access_->lanes) {
    if (const auto found = touched({span_.mark.record, lane.lane}, lane.address, access_->bytes))
      return found;
  }
  return std::nullopt;
}

void AccessRules::meet_followed(const Record& reduction) {
  constexpr int most = 64;
  Writer writer = reduction.follows;
  for (int i = 0; i < most && writer.entry.record != 0; ++i) {
    const Record& before = records_[writer.entry.record];
    const std::optional<Toucher> now = toucher_of(writer);
    if (now && !(before.reduces && now_.reduces)) {
      meets({writer.entry, true, {}}, now->who, now->byte, 1);
    }
    writer = before.follows;
  }
}

// Whether the thread of an earlier read knew who had written what it read.
bool AccessRules::was_served(const Earlier& earlier) const {
  if (earlier.written_by.record == 0) return false;
  const Record& reader = records_[earlier.entry.record];
  const Record& writer = records_[earlier.written_by.record];
  if (!is_own(reader) || writer.kind == Kind::mbarrier) return false;
  const ThreadId thread = reader.thread(earlier.entry.lane);
  if (is_done(writer, earlier.written_by.lane, thread)) return true;
  // Another load was issued meanwhile; the thread meant what was there before it.
  return writer.replaces != 0 && !span_.is_global && is_done(records_[writer.replaces], 0, thread);
}

// A thread writes again, at the same instruction, what it had written before for a TMA store:
// whether the store was issued in between or not, the thread was to wait for it.
bool AccessRules::is_next_lap(const Earlier& earlier, ThreadId thread) const {
  if (span_.is_global) return false;
  const Record& before = records_[earlier.entry.record];
  if (!earlier.wrote && before.kind == Kind::store && earlier.written_by.record != 0) {
    const Record& written = records_[earlier.written_by.record];
    return are_of_one_line(written, now_) &&
           is_same_thread(written, earlier.written_by.lane, thread);
  }
  if (earlier.wrote && before.kind == Kind::plain && now_.kind == Kind::store &&
      before.replaces != 0) {
    const Record& written = records_[before.replaces];
    return are_of_one_line(written, before) && written.first == before.first &&
           is_done(written, earlier.entry.lane, thread);
  }
  return false;
}

// Whether the thread, which reads what a load may have overwritten, knew what was there before it.
bool AccessRules::knew_before(const Record& load, ThreadId thread) const {
  if (span_.is_global) return false;
  // Other loads may have been issued since.
  constexpr int most = 64;
  std::uint32_t number = load.replaces;
  for (int i = 0; i < most && number != 0; ++i) {
    const Record& replaced = records_[number];
    if (replaced.kind == Kind::mbarrier) return false;
    if (is_done(replaced, 0, thread)) return is_what_was_waited_for(replaced, thread);
    number = replaced.replaces;
  }
  return false;
}

bool AccessRules::is_what_was_waited_for(const Record& replaced, ThreadId thread) const {
  // Who has waited for another load since then means to read that one.
  const auto last = checker_.mbarriers_.last_wait(thread);
  return !last || replaced.kind != Kind::load ||
         (replaced.completion == last->phases && replaced.completed == last->phase + 1);
}

// Threads that write one value to one place do each other no harm.
bool AccessRules::writes_the_same(const Earlier& earlier, const Entry& now) const {
  if (access_ == nullptr || access_->values == nullptr) return false;
  const auto index_of = [&](unsigned lane) {
    const auto found = std::ranges::find(access_->lanes, lane, &events::LaneAddress::lane);
    return static_cast<std::size_t>(found - access_->lanes.begin());
  };
  const std::size_t index = index_of(now.lane);
  if (index == access_->lanes.size()) return false;
  if (earlier.entry.record == span_.mark.record) {
    const std::size_t other = index_of(earlier.entry.lane);
    if (other != access_->lanes.size() &&
        access_->lanes[other].address == access_->lanes[index].address) {
      return access_->values->are_equal(index, other);
    }
  }
  return access_->values->leaves_memory(index);
}

void AccessRules::meets(const Earlier& earlier, const Entry& now, unsigned byte, unsigned bytes) {
  const Record& before = records_[earlier.entry.record];
  if (now_.reads_map) return;  // what it needs of earlier changes, TensorMapChecker knows
  const ThreadId thread = this->thread(now);
  if (before.kind == Kind::mbarrier && writes_mbarrier(byte, bytes, now, before)) return;
  if (earlier.wrote && replaces(before, earlier.entry.record)) note_replaced(earlier.entry.record);
  if (bypasses_write(before)) {
    checker_.state_.report(
        finding_of(now_, false, now.lane, Sentence::read_only_load_of_written, byte),
        note_of(before, earlier.entry.lane, NoteSentence::written_by, byte));
    return;
  }
  const bool is_plain = !now_.is_done_later() && !before.is_done_later();
  const bool same_thread = is_same_thread(before, earlier.entry.lane, thread);
  if (is_plain && same_thread) return;
  Conflict conflict{before, earlier.wrote, now_, writes_};
  conflict.is_global = span_.is_global;
  conflict.is_ordered = is_done(before, earlier.entry.lane, thread) ||
                        (before.kind == Kind::plain && !earlier.wrote &&
                         has_been_read(before, earlier.entry.lane, thread));
  conflict.is_of_one_thread = same_thread;
  conflict.is_strict = checker_.state_.launch.is_strict;
  if (conflict.is_ordered && !now_.is_async_proxy()) return;
  conflict.is_issue_ordered =
      same_thread || order().knows(thread, before.issuer(earlier.entry.lane), before.time);
  conflict.is_fenced = is_fenced(before, earlier.entry.lane, thread);
  conflict.read_was_served = earlier.wrote ? knew_before(before, thread) : was_served(earlier);
  // Of what others send, one at a time: who has not seen the phase before it waits for this one.
  if (now_.kind == Kind::async_store && !earlier.wrote &&
      !order().knows(before.thread(earlier.entry.lane), now_.completion, now_.completed - 1)) {
    conflict.read_was_served = false;
  }
  conflict.is_next_lap = is_next_lap(earlier, thread);
  const auto verdict = judge(conflict);
  if (!verdict) return;
  const bool both_write = earlier.wrote && writes_ && is_plain;
  if (both_write && writes_the_same(earlier, now)) return;
  blame(conflict, *verdict, earlier, now, byte);
}

// CUDA programming guide, "Read-Only Data Cache Load Function": the data is read-only for the
// lifetime of the kernel. No barrier and no fence make the cache look again. By the letter a write
// that is ordered behind the load is forbidden, too; but nothing is lost by it, and Thrust compacts
// arrays in place so.
bool AccessRules::bypasses_write(const Record& earlier) const {
  return now_.is_read_only && (earlier.writes || earlier.kind == Kind::store);
}

bool AccessRules::writes_mbarrier(unsigned byte, unsigned bytes, const Entry& now,
                                  const Record& earlier) {
  if (!writes_ || span_.is_global) return true;
  const auto address = static_cast<std::uint32_t>(address_of(byte));
  if (checker_.mbarriers_.live_in(address, bytes) == nullptr) return false;
  Finding finding = finding_of(now_, writes_, now.lane, Sentence::mbarrier_overwritten, byte);
  checker_.state_.report(std::move(finding),
                         note_of(earlier, 0, NoteSentence::initialized_here, byte));
  return true;
}

Finding AccessRules::finding_of(const Record& record, bool wrote, unsigned lane, Sentence sentence,
                                unsigned byte) const {
  const std::uint64_t address = address_of(byte);
  Values values;
  if (span_.is_global) {
    values.emplace_back("global address " + common::hexadecimal(address));
  } else {
    values.emplace_back("shared memory");
  }
  Finding finding{sentence, std::move(values), record.site, checker_.state_.launch.cta(record.cta),
                  record.thread(lane)};
  if (span_.is_global) return finding;
  const bool is_engine = &record == &now_ && record.is_async_proxy();
  const auto offset =
      shared_offset(static_cast<std::uint32_t>(is_engine ? span_.address : address));
  finding.bytes = SharedBytes{offset, is_engine ? static_cast<std::uint32_t>(span_.bytes) : 1};
  if (wrote) finding.use = record.is_done_later() ? BytesUse::loads_into : BytesUse::writes;
  return finding;
}

Note AccessRules::note_of(const Record& record, unsigned lane, NoteSentence sentence,
                          unsigned byte) const {
  Note note{sentence, record.site, checker_.state_.launch.cta(record.cta), record.thread(lane), {}};
  if (!span_.is_global) {
    note.bytes = {shared_offset(static_cast<std::uint32_t>(address_of(byte))), 1};
  }
  return note;
}

void AccessRules::blame(const Conflict& conflict, const Verdict& verdict, const Earlier& earlier,
                        const Entry& now, unsigned byte) {
  ClusterState& state = checker_.state_;
  const Record& before = conflict.earlier;
  bool accuses_later = verdict.accuses_later;
  // Where neither of two writes is the later one, it is the one further down in the source.
  const bool is_even = conflict.earlier_writes && conflict.now_writes && (before.kind == now_.kind);
  if (is_even) {
    accuses_later = !(state.launch.places.line(now_.site) < state.launch.places.line(before.site));
  }
  const unsigned lane = accuses_later ? now.lane : earlier.entry.lane;
  const unsigned other_lane = accuses_later ? earlier.entry.lane : now.lane;
  const Record& accused = accuses_later ? now_ : before;
  const Record& other = accuses_later ? before : now_;
  if (!conflict.earlier_writes && !conflict.read_was_served) {
    checker_.served_late_.insert(before.site);
  }
  const auto is_waited_for = [](const Record& record) {
    return record.kind == Kind::load || record.kind == Kind::async_store;
  };
  const bool wrote = accuses_later ? writes_ : earlier.wrote;
  Finding finding = finding_of(accused, wrote, lane, verdict.sentence, byte);
  Note note = note_of(other, other_lane, verdict.note, byte);
  if (verdict.sentence == Sentence::read_before_copy_done && is_own(before)) {
    const ThreadId issuer = before.thread(earlier.entry.lane);
    const GroupLedger& copies = checker_.copies_[state.slot(issuer)];
    const auto& wait = copies.last_wait();
    if (wait && wait->issued >= before.completed && before.completed > copies.committed()) {
      finding = state.finding(Sentence::copies_not_committed, wait->site, issuer);
    }
  }
  if (conflict.earlier_writes && !is_even && is_waited_for(before) && is_own(before)) {
    checker_.operations_.blame_load(before, thread(now), std::move(finding), std::move(note));
  } else if ((verdict.sentence == Sentence::read_before_load_done ||
              verdict.sentence == Sentence::load_over_unread_data) &&
             is_waited_for(now_)) {
    checker_.operations_.blame_load(now_, before.thread(earlier.entry.lane), std::move(finding),
                                    std::move(note));
  } else if (verdict.sentence == Sentence::store_over_itself) {
    state.report(std::move(finding));  // there is no other place
  } else if (is_even && before.is_done_later()) {
    // Where what the first one brought is still being read, that is the cause.
    if (state.reporter.is_known(finding.sentence, finding.site, note.site)) return;
    finding.notes.push_back(std::move(note));
    if (now_.kind == Kind::load && !span_.is_global) {
      checker_.mbarriers_.explain_passage(thread(now), now_.completion, finding.notes);
    }
    state.reporter.defer(std::move(finding), [&state, site = now_.site] {
      const auto has_any = [&](Sentence cause) { return state.reporter.has_any(cause); };
      // Phases that end too early let the next lap begin too early, and so does a wait for nothing.
      return state.reporter.has(Sentence::load_over_unread_data, site) ||
             has_any(Sentence::wait_returned_for_past_phase) ||
             has_any(Sentence::no_bytes_announced) || has_any(Sentence::fewer_bytes_announced) ||
             has_any(Sentence::copies_not_committed);
    });
  } else if (before.kind == Kind::store && accuses_later) {
    checker_.operations_.blame_store(before, thread(now), checker_.bulk_, std::move(finding),
                                     std::move(note));
  } else {
    state.report(std::move(finding), std::move(note));
  }
}

void AccessRules::meets_nobody(const Entry& now, unsigned byte, unsigned bytes) {
  if (now_.reads_map) return;
  if (checker_.state_.launch.facts->is_only_put_back(now_.site)) return;
  if (span_.is_global) return meets_fresh_memory(now, byte, bytes);
  if (now_.is_done_later()) {
    checker_.nobody_bytes_ += bytes;
    return;
  }
  const std::uint32_t offset = shared_offset(static_cast<std::uint32_t>(address_of(byte)));
  if (offset < h200::reserved_shared_bytes_per_cta) return;
  ClusterState& state = checker_.state_;
  if (state.reporter.is_known(Sentence::shared_never_written, now_.site, now_.site)) return;
  state.reporter.defer(finding_of(now_, writes_, now.lane, Sentence::shared_never_written, byte),
                       [this_checker = &checker_, site = now_.site] {
                         return this_checker->served_late_.contains(site);
                       });
}

// The bytes of global memory were not written by this launch. What a lane reads is told where
// nobody at all has written any of it.
void AccessRules::meets_fresh_memory(const Entry& now, unsigned byte, unsigned bytes) {
  const Region* const region = checker_.region_of(address_of(byte));
  if (region == nullptr) return;
  if (access_ == nullptr) {  // the engine: what hangs over the edge of an input may be anything
    if (GlobalMemory::first_fresh(*region, address_of(byte), bytes, bytes) == 0) {
      checker_.fresh_bytes_ += bytes;
    }
    return;
  }
  const std::size_t piece = access_->bytes;
  if (bytes < piece) {  // a part of what the lane reads
    const auto lane = std::ranges::find(access_->lanes, now.lane, &events::LaneAddress::lane);
    if (lane == access_->lanes.end() ||
        GlobalMemory::first_fresh(*region, lane->address, piece, piece) != 0) {
      return;
    }
    return checker_.state_.report(
        finding_of(now_, writes_, now.lane, Sentence::global_never_written, byte));
  }
  const std::size_t found = GlobalMemory::first_fresh(*region, address_of(byte), bytes, piece);
  if (found == bytes) return;
  const auto first = static_cast<unsigned>(found);
  const unsigned lane =
      span_.mark.shift == Mark::one_lane ? now.lane : now.lane + (first >> span_.mark.shift);
  checker_.state_.report(
      finding_of(now_, writes_, lane, Sentence::global_never_written, byte + first));
}

}  // namespace tmaemu::check
