#include "emulator/check/group_ledgers.h"

#include <algorithm>

namespace tmaemu::check {

void GroupLedgers::start() {
  if (is_empty_) return;
  std::ranges::fill(bulk_, GroupLedger{});
  std::ranges::fill(copies_, GroupLedger{});
  foreign_waits_.clear();
  is_empty_ = true;
}

void GroupLedgers::await_bulk(const events::Groups& groups) {
  GroupLedger& own = changed(bulk_, groups.thread);
  const Time done = own.done_after(groups.pending);
  own.note_wait(groups.site, done, state_.order.now(groups.thread));
  if (own.issued() == 0) foreign_waits_.push_back({groups.thread, groups.site, 0});
  if (done == 0) return;
  state_.order.acquire(groups.thread, state_.order.actor(groups.thread, Actor::Track::bulk_reads),
                       done);
  if (groups.only_read) return;
  state_.order.acquire(groups.thread, state_.order.actor(groups.thread, Actor::Track::bulk_writes),
                       done);
}

void GroupLedgers::await_copies(const events::Groups& groups) {
  GroupLedger& own = changed(copies_, groups.thread);
  const Time done = groups.is_for_all ? own.issued() : own.done_after(groups.pending);
  if (!groups.is_for_all) own.note_wait(groups.site, done, state_.order.now(groups.thread));
  if (done == 0) return;
  own.note_done(done, state_.order.begin_moment(groups.thread));
}

}  // namespace tmaemu::check
