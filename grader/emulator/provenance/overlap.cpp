#include "emulator/provenance/overlap.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "emulator/memory/address_space.h"
#include "emulator/observe/targets.h"

namespace tmaemu::provenance {

namespace {
constexpr std::uint64_t unread_word_bytes = 4;
}

void Overlap::Unread::add(std::uint32_t offset, std::uint64_t bytes) {
  const std::size_t end = (offset + bytes + unread_word_bytes - 1) / unread_word_bytes;
  if (words_.size() < end) words_.resize(end);
  std::fill(words_.begin() + static_cast<std::ptrdiff_t>(offset / unread_word_bytes),
            words_.begin() + static_cast<std::ptrdiff_t>(end), true);
}

std::uint64_t Overlap::Unread::take(std::uint32_t offset, std::uint64_t bytes) {
  const std::size_t end = std::min<std::size_t>(
      (offset + bytes + unread_word_bytes - 1) / unread_word_bytes, words_.size());
  std::uint64_t taken = 0;
  for (std::size_t word = offset / unread_word_bytes; word < end; ++word) {
    taken += words_[word] ? unread_word_bytes : 0;
    words_[word] = false;
  }
  return std::min(taken, bytes);
}

void Overlap::Cta::start(std::uint64_t bytes) {
  in_flight += bytes;
  left += bytes;
}

void Overlap::Cta::end(std::uint64_t bytes) {
  in_flight -= bytes;
  left = std::min(left, in_flight);
}

Overlap::Cta& Overlap::cta(std::uint32_t rank) {
  if (ctas_.size() <= rank) ctas_.resize(rank + 1);
  return ctas_[rank];
}

void Overlap::issues(const events::Bulk& load, std::uint64_t news) {
  for_each_target(load, [&](std::uint32_t rank) {
    Cta& target = cta(rank);
    target.mbarriers[shared_offset(load.mbarrier)] += news;
    target.start(news);
    if (news != 0) target.unread.add(shared_offset(load.shared), load.bytes);
  });
}

void Overlap::copies(ThreadId thread, std::uint64_t news) {
  cta(thread.rank).copies[thread.index].open += news;
  copies_news_ |= news != 0;
}

void Overlap::copies_to(std::uint32_t rank, std::uint32_t offset, std::uint32_t bytes) {
  if (copies_news_) cta(rank).unread.add(offset, bytes);
}

void Overlap::orders_arrival(ThreadId thread, std::uint32_t mbarrier) {
  Cta& of_thread = cta(thread.rank);
  Copies& copies = of_thread.copies[thread.index];
  const std::uint64_t committed =
      std::accumulate(copies.groups.begin(), copies.groups.end(), std::uint64_t{0});
  const std::uint64_t open = std::exchange(copies.open, 0);
  copies.groups.assign(copies.groups.size(), 0);
  of_thread.start(open);
  of_thread.mbarriers[shared_offset(mbarrier)] += open + committed;
}

void Overlap::sees_phase(std::uint32_t mbarrier) {
  Cta& of_mbarrier = cta(shared_rank(mbarrier));
  const auto found = of_mbarrier.mbarriers.find(shared_offset(mbarrier));
  if (found == of_mbarrier.mbarriers.end()) return;
  of_mbarrier.end(found->second);
  of_mbarrier.mbarriers.erase(found);
}

void Overlap::commits_copies(ThreadId thread) {
  Cta& of_thread = cta(thread.rank);
  Copies& copies = of_thread.copies[thread.index];
  of_thread.start(copies.open);
  copies.groups.push_back(std::exchange(copies.open, 0));
}

void Overlap::awaits_copies(const events::Groups& wait) {
  Cta& of_thread = cta(wait.thread.rank);
  Copies& copies = of_thread.copies[wait.thread.index];
  if (wait.is_for_all) copies.open = 0;
  const std::size_t left = wait.is_for_all ? 0 : wait.pending;
  while (copies.groups.size() > left) {
    of_thread.end(copies.groups.front());
    copies.groups.pop_front();
  }
}

std::uint64_t Overlap::reads(std::uint32_t rank, std::uint32_t shared, std::uint64_t bytes) {
  const std::uint32_t of = shared_rank(shared);
  if (rank >= ctas_.size() || of >= ctas_.size()) return 0;
  const std::uint64_t first_read = ctas_[of].unread.take(shared_offset(shared), bytes);
  const std::uint64_t overlapping = std::min(first_read, ctas_[rank].left);
  ctas_[rank].left -= overlapping;
  return overlapping;
}

}  // namespace tmaemu::provenance
