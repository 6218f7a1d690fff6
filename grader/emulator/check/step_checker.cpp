#include "emulator/check/step_checker.h"

#include <algorithm>
#include <string>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/check/operations.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

constexpr std::size_t most_steps = 64;

std::uint32_t distance(const events::MatrixInShared& one, const events::MatrixInShared& other) {
  return one.start < other.start ? other.start - one.start : one.start - other.start;
}

}  // namespace

void StepChecker::start() {
  loads_.clear();
  fillings_.clear();
}

// A multicast writes the same place of several CTAs, and signals an mbarrier of each.
void StepChecker::issue(const events::Bulk& bulk) {
  if (bulk.kind != BulkKind::global_to_shared) return;
  for (unsigned rank = 0; rank < state_.ctas; ++rank) {
    const bool is_there =
        bulk.multicast != 0 ? (bulk.multicast >> rank & 1) != 0 : shared_rank(bulk.shared) == rank;
    if (!is_there) continue;
    const std::uint32_t begin = rank << cta_rank_shift | shared_offset(bulk.shared);
    const std::uint32_t end = begin + bulk.bytes;
    while (const Load* const old = load_within(begin, end)) empty(old->filling);
    const FillingId filling = FillingId{rank + 1} << 32 | shared_offset(bulk.mbarrier);
    loads_[begin] = {end, filling, number_of(bulk), bulk.site, bulk.thread};
    fillings_[filling];
  }
}

// No two of them overlap.
const StepChecker::Load* StepChecker::load_within(std::uint32_t begin, std::uint32_t end) const {
  const auto behind = loads_.upper_bound(begin);
  if (behind != loads_.begin() && begin < std::prev(behind)->second.end) {
    return &std::prev(behind)->second;
  }
  return behind != loads_.end() && behind->first < end ? &behind->second : nullptr;
}

const StepChecker::Load* StepChecker::load_of(std::uint32_t address) const {
  const auto behind = loads_.upper_bound(address);
  if (behind == loads_.begin()) return nullptr;
  const Load& load = std::prev(behind)->second;
  if (address >= load.end) return nullptr;
  const PastAccess* const writer = accesses_.writer_of(address);
  return writer != nullptr && writer->operation() == load.operation ? &load : nullptr;
}

StepChecker::FillingId StepChecker::filling_of(const events::MatrixInShared* matrix) const {
  const Load* const load = matrix == nullptr ? nullptr : load_of(matrix->start);
  return load == nullptr ? 0 : load->filling;
}

void StepChecker::issue(const events::WarpgroupProduct& product) {
  if (loads_.empty() || product.b == nullptr) return;
  const FillingId a = filling_of(product.a);
  const FillingId b = filling_of(product.b);
  Step step;
  step.thread = thread_of(first_of_warpgroup(product.warp), 0);
  step.site = product.site;
  const auto add_of = [&](FillingId own, FillingId partner) {
    step.filling_of_partner = partner;
    if (own != 0) add(own, step);
  };
  step.own = *product.b;
  if (product.a != nullptr) step.partner = *product.a;
  add_of(b, a);
  if (product.a == nullptr) return;
  std::swap(step.own, step.partner);
  step.is_a = true;
  add_of(a, b);
}

// In loops the same products come again and again.
void StepChecker::add(FillingId filling, const Step& step) {
  Filling& own = fillings_[filling];
  const auto is_same = [&](const Step& other) {
    return other.own.start == step.own.start && other.partner.start == step.partner.start &&
           other.thread == step.thread && other.is_a == step.is_a && other.site == step.site;
  };
  if (own.steps.size() == most_steps || std::ranges::any_of(own.steps, is_same)) return;
  for (const Step& earlier : own.steps) {
    if (earlier.thread != step.thread || earlier.is_a != step.is_a) continue;
    const auto relation = relation_of(earlier.own, step.own);
    if (!relation) continue;
    const bool has_partner =
        step.filling_of_partner != 0 && earlier.filling_of_partner == step.filling_of_partner;
    const auto partner = has_partner ? relation_of(earlier.partner, step.partner) : std::nullopt;
    if (is_suspicious(*relation, partner)) {
      own.suspicions.push_back({earlier, step, *relation, partner && partner->advances()});
      break;
    }
  }
  own.steps.push_back(step);
}

bool StepChecker::is_unread(std::uint32_t address, FillingId filling) const {
  const Load* const load = load_of(address);
  return load != nullptr && load->filling == filling && !accesses_.is_read(address);
}

bool StepChecker::leaves_out(const events::MatrixInShared& matrix) const {
  const FillingId filling = filling_of(&matrix);
  if (filling == 0) return false;
  const auto is_row_unread = [&](std::uint32_t row) {
    for (std::uint32_t i = 0; i < matrix.swizzle_bytes; i += bytes_of_unit) {
      if (!is_unread(row + i, filling)) return false;
    }
    return true;
  };
  if (matrix.swizzle_bytes != 0 && !matrix.is_transposed) {
    const std::uint32_t row = matrix.start - matrix.start % matrix.swizzle_bytes;
    for (std::uint32_t i = 0; i < matrix.swizzle_bytes; i += bytes_of_unit) {
      if (is_unread(row + i, filling)) return true;
    }
    return false;
  }
  if (matrix.swizzle_bytes != 0) {
    const auto tile = std::prev(loads_.upper_bound(matrix.start));
    for (std::uint32_t row = tile->first; row < tile->second.end; row += matrix.swizzle_bytes) {
      if (is_row_unread(row)) return true;
    }
    return false;
  }
  for (std::uint32_t i = 0; is_k_outside(matrix) || i < matrix.stride; i += matrix.leading) {
    const Load* const load = load_of(matrix.start + i);
    if (load == nullptr || load->filling != filling) return false;
    if (is_unread(matrix.start + i, filling)) return true;
  }
  return false;
}

void StepChecker::empty(FillingId filling) {
  const auto own = fillings_.find(filling);
  if (own != fillings_.end()) {
    for (const Suspicion& suspicion : own->second.suspicions) look(suspicion);
    fillings_.erase(own);
  }
  std::erase_if(loads_, [&](const auto& entry) { return entry.second.filling == filling; });
}

void StepChecker::look(const Suspicion& suspicion) {
  const Step& step = suspicion.later;
  const Load* const load = load_of(suspicion.earlier.own.start);
  if (load == nullptr || !leaves_out(suspicion.earlier.own)) return;
  // Where both end before their tiles do, so does K.
  if (suspicion.is_partner_right && !suspicion.relation.overlaps_along_k() &&
      leaves_out(suspicion.earlier.partner)) {
    return;
  }
  const char* const name = step.is_a ? "A" : "B";
  const std::uint32_t bytes = distance(suspicion.earlier.own, step.own);
  Finding finding =
      suspicion.relation.stays()
          ? state_.finding(Sentence::matrix_step_stays, step.site, step.thread, {name})
          : state_.finding(Sentence::matrix_steps_overlap, step.site, step.thread, {name, bytes});
  finding.bytes = SharedBytes{shared_offset(step.own.start), bytes_of_unit};
  // Where the tile is of another form altogether, the steps are not what is wrong.
  state_.suspect(std::move(finding),
                 state_.note(NoteSentence::load_issued_here, load->site, load->thread));
}

void StepChecker::end_cta(std::uint16_t rank) {
  std::vector<FillingId> ending;
  for (const auto& [filling, own] : fillings_) {
    if (filling >> 32 == FillingId{rank} + 1) ending.push_back(filling);
  }
  for (const FillingId filling : ending) empty(filling);
}

}  // namespace tmaemu::check
