#include "emulator/check/consequences.h"

#include <algorithm>
#include <array>

#include "contract/findings/sentences.h"

namespace tmaemu::check {
namespace {

using Says = Sentence;

constexpr std::span<const Sentence> any{};

constexpr std::array reads_of_unwritten{
    Says::shared_never_written, Says::store_source_never_written, Says::store_source_partly_written,
    Says::product_reads_unwritten};
constexpr std::array absent_lanes{Says::absent_lane_read};
constexpr std::array lanes_elsewhere{Says::lanes_went_around};
constexpr std::array remarks_about_an_instruction{Says::reduction_onto_fresh_memory,
                                                  Says::access_outlives_cta};
constexpr std::array two_operations{Says::overlapping_loads,
                                    Says::overlapping_stores,
                                    Says::overlapping_stores_of_ctas,
                                    Says::reductions_of_two_kinds,
                                    Says::race_of_copies,
                                    Says::issued_twice,
                                    Says::issued_again,
                                    Says::load_into_stage_in_use};
// Who issues what another thread issues, too, does so whatever it waits for.
constexpr std::array two_operations_of_laps{
    Says::overlapping_loads,       Says::overlapping_stores, Says::overlapping_stores_of_ctas,
    Says::reductions_of_two_kinds, Says::race_of_copies,     Says::issued_again,
    Says::load_into_stage_in_use};
constexpr std::array laps{Says::load_into_stage_in_use, Says::race_of_copies};
constexpr std::array overlapping{Says::overlapping_loads, Says::load_into_stage_in_use};
constexpr std::array loads_over_unread{Says::load_over_unread_data, Says::stage_given_back_early};
constexpr std::array unasked_loads{Says::load_over_unread_data};
constexpr std::array waits_for_too_little{
    Says::wait_returned_for_past_phase, Says::no_bytes_announced,
    Says::fewer_bytes_announced,        Says::no_bytes_announced_there,
    Says::fewer_bytes_announced_there,  Says::announced_behind_arrivals,
    Says::copies_not_committed};
constexpr std::array arrivals{Says::arrival_beyond_count};
constexpr std::array arrivals_of_laps{Says::arrival_beyond_count_of_lap};
constexpr std::array surplus_arrivals{Says::arrival_beyond_count, Says::mbarrier_arrivals,
                                      Says::mbarrier_tx_count};
constexpr std::array arrivals_ahead{Says::arrival_beyond_count, Says::mbarrier_arrivals};
constexpr std::array unseen_initializations{
    Says::mbarrier_uninitialized, Says::mbarrier_used_before_initialization,
    Says::operation_before_initialization, Says::mbarrier_of_other_cta_unseen,
    Says::operation_on_unseen_mbarrier};
constexpr std::array uninitialized{Says::mbarrier_uninitialized};
constexpr std::array uses_before_initialization{
    Says::mbarrier_used_before_initialization, Says::operation_before_initialization,
    Says::mbarrier_of_other_cta_unseen, Says::operation_on_unseen_mbarrier};
constexpr std::array miscounted_phases{
    Says::no_bytes_announced,       Says::fewer_bytes_announced,
    Says::no_bytes_announced_there, Says::fewer_bytes_announced_there,
    Says::more_bytes_announced,     Says::wait_returned_for_past_phase,
    Says::wait_for_passed_parity,   Says::wait_for_stage_unused};
constexpr std::array passed_phases{Says::phase_passed_waiting_thread, Says::wait_may_return_early};
constexpr std::array overruns{Says::phase_passed_waiting_thread};
constexpr std::array early_uses{
    Says::read_before_load_done,        Says::read_before_copy_done,
    Says::read_before_async_store_done, Says::store_reads_loading_tile,
    Says::store_reads_copy_in_flight,   Says::store_reads_store_in_flight,
    Says::product_reads_loading_tile,   Says::product_reads_copy_in_flight,
    Says::product_reads_store_in_flight};
constexpr std::array early_reads{Says::read_before_load_done, Says::read_before_copy_done,
                                 Says::read_before_async_store_done};
constexpr std::array early_reads_of_loads{Says::read_before_load_done,
                                          Says::read_before_async_store_done};
constexpr std::array early_reads_of_copies{Says::read_before_copy_done};
constexpr std::array writes_during_loads{Says::write_during_load, Says::write_during_copy,
                                         Says::write_during_async_store};
constexpr std::array uses_of_stages{
    Says::load_into_stage_in_use,         Says::load_over_unread_data,
    Says::load_overwrites_product_source, Says::read_before_load_done,
    Says::product_reads_loading_tile,     Says::no_bytes_announced,
    Says::fewer_bytes_announced,          Says::no_bytes_announced_there,
    Says::fewer_bytes_announced_there,    Says::arrival_beyond_count,
    Says::more_bytes_announced,           Says::mbarrier_arrivals,
    Says::load_over_reads_of_lanes,       Says::stage_given_back_early};
constexpr std::array unwritten_factors{Says::product_reads_unwritten};
constexpr std::array arrivals_of_copies{Says::copies_arrive_beyond_count};
constexpr std::array uses_of_copies{
    Says::read_before_copy_done,        Says::store_reads_copy_in_flight,
    Says::product_reads_copy_in_flight, Says::load_over_unread_data,
    Says::load_over_reads_of_lanes,     Says::stage_given_back_early,
    Says::arrival_beyond_count,         Says::arrival_beyond_count_of_lap,
    Says::copy_beyond_arrivals};
constexpr std::array steps{Says::matrix_steps_overlap, Says::matrix_step_stays};
constexpr std::array handovers_of_lanes{Says::load_over_reads_of_lanes};
constexpr std::array unfit_descriptors{
    Says::matrix_of_another_swizzle, Says::matrix_with_base_offset, Says::matrix_of_other_strides,
    Says::matrix_of_wide_rows,       Says::matrix_meets_itself,     Says::matrix_overlaps_itself};
constexpr std::array two_loads{Says::overlapping_loads};
constexpr std::array reloads{Says::load_into_stage_in_use};
constexpr std::array loads_at_the_end{Says::cta_ends_before_load_landed};
constexpr std::array copies_at_the_receivers_end{Says::cta_ends_before_copy_landed};
constexpr std::array copies_at_the_senders_end{Says::cta_ends_before_copy_read};
constexpr std::array loads_over_factors{Says::load_overwrites_product_source};
constexpr std::array races{Says::race_of_read, Says::race_of_read_by_ctas, Says::race_of_writes,
                           Says::race_of_writes_by_ctas};
constexpr std::array races_of_reads{Says::race_of_read};
constexpr std::array races_of_writes{Says::race_of_writes};
constexpr std::array uses_ordered_by_arrivals{Says::race_of_read, Says::race_of_writes,
                                              Says::race_with_lanes, Says::store_of_writes_of_lanes,
                                              Says::store_reads_unsynchronized};
constexpr std::array barriers_of_two_lines{Says::barrier_at_two_lines};
constexpr std::array divergent_barriers{Says::barrier_in_divergent_code};
constexpr std::array issues_by_all{Says::issued_twice};
constexpr std::array uses_of_unfinished_loads{
    Says::read_before_load_done,      Says::read_before_async_store_done,
    Says::store_reads_loading_tile,   Says::store_reads_store_in_flight,
    Says::product_reads_loading_tile, Says::product_reads_store_in_flight,
    Says::cta_ends_before_load_landed};
constexpr std::array late_announcements{Says::announced_behind_arrivals};
constexpr std::array missing_announcements{Says::no_bytes_announced, Says::fewer_bytes_announced,
                                           Says::no_bytes_announced_there,
                                           Says::fewer_bytes_announced_there};
constexpr std::array vain_announcements{Says::more_bytes_announced};
constexpr std::array waits_for_stages{Says::wait_for_stage_unused};
constexpr std::array stale_waits{Says::wait_returned_for_past_phase, Says::wait_for_passed_parity};
constexpr std::array early_goers{
    Says::wait_returned_for_past_phase, Says::read_before_load_done,
    Says::read_before_copy_done,        Says::read_before_async_store_done,
    Says::store_reads_loading_tile,     Says::store_reads_copy_in_flight,
    Says::store_reads_store_in_flight,  Says::product_reads_loading_tile,
    Says::product_reads_copy_in_flight, Says::product_reads_store_in_flight};
constexpr std::array waits_in_vain{Says::wait_for_passed_parity, Says::wait_for_stage_unused,
                                   Says::more_bytes_announced};
constexpr std::array uses_ahead{Says::load_over_unread_data,    Says::load_into_stage_in_use,
                                Says::stage_given_back_early,   Says::write_during_load,
                                Says::write_during_async_store, Says::cta_ends_before_load_landed,
                                Says::no_bytes_announced_there, Says::fewer_bytes_announced_there,
                                Says::copy_source_overwritten,  Says::cta_ends_before_store_read,
                                Says::store_source_overwritten};
constexpr std::array all_surplus_arrivals{
    Says::arrival_beyond_count, Says::arrival_beyond_count_of_lap, Says::mbarrier_arrivals,
    Says::copies_arrive_beyond_count};
constexpr std::array repeated_operations{Says::issued_twice, Says::issued_again};
constexpr std::array repeated_by_one{Says::issued_again};
constexpr std::array uses_of_next_lap{Says::load_over_unread_data,    Says::stage_given_back_early,
                                      Says::load_over_reads_of_lanes, Says::load_into_stage_in_use,
                                      Says::copy_source_overwritten,  Says::more_bytes_announced};
constexpr std::array early_handovers{Says::stage_given_back_early};
constexpr std::array handovers{Says::stage_given_back_early, Says::load_over_reads_of_lanes};
constexpr std::array stores_of_loading{Says::store_reads_loading_tile};
constexpr std::array reads_of_stores{Says::read_of_unawaited_store};
constexpr std::array overwritten_stores{Says::store_source_overwritten};
constexpr std::array uses_behind_stores{Says::store_source_overwritten, Says::write_during_load};

constexpr std::array loads_ahead{Says::load_over_unread_data, Says::stage_given_back_early,
                                 Says::load_into_stage_in_use};
constexpr std::array unsynchronized_sources{Says::store_reads_unsynchronized};
constexpr std::array overwritten_copies{Says::copy_source_overwritten};
constexpr std::array shared_barriers{Says::barrier_of_two_groups};
constexpr std::array initializations_by_all{Says::mbarrier_initialized_by_all};

constexpr std::array<Consequence, 75> table{{
    // Somebody writes it, and too late: that is reported.
    {reads_of_unwritten, any, Fact::read_served_late, Where::same_site, Then::is_withdrawn},
    {any, any, Fact::mbarrier_misused, Where::same_mbarrier, Then::is_withdrawn},
    {any, any, Fact::phase_starved, Where::same_phase, Then::is_withdrawn},
    {any, any, Fact::operation_reported, Where::same_operation, Then::is_withdrawn},
    {absent_lanes, lanes_elsewhere, {}, Where::same_site, Then::is_withdrawn},
    // Where what the first one brought is still being read, that is the cause.
    {two_operations, loads_over_unread, {}, Where::site_of_cause, Then::is_withdrawn},
    // Phases that end too early let the next lap begin too early, and so does a wait for nothing.
    {two_operations_of_laps, waits_for_too_little, {}, Where::anywhere, Then::is_withdrawn},
    // Who does not wait for a load hands its stage back while the load is under way.
    {laps, early_uses, {}, Where::line_in_cause, Then::is_withdrawn},
    // Where all lanes load, those of the next lap meet those of this one.
    {overlapping, issues_by_all, {}, Where::site_of_cause, Then::is_withdrawn},
    // Who loads a stage again and does not wait announces it again, too, as do all who load it; and
    // who does not wait for a load hands its stage back too often.
    {surplus_arrivals, any, Fact::loaded_too_often, Where::same_mbarrier, Then::is_withdrawn},
    {arrivals_of_laps, any, Fact::loaded_too_often, Where::same_mbarrier, Then::is_withdrawn},
    {surplus_arrivals, early_uses, {}, Where::anywhere, Then::is_withdrawn},
    // What is loaded twice comes in a phase for which nobody has announced it, and so does what
    // comes behind it.
    {missing_announcements, any, Fact::load_repeated, Where::same_mbarrier, Then::is_withdrawn},
    // Nobody goes on too early by it: that a wait is missing is what the rest is about.
    {arrivals, any, Fact::never_awaited, Where::same_mbarrier, Then::is_withdrawn},
    {arrivals_of_laps, any, Fact::never_awaited, Where::same_mbarrier, Then::is_withdrawn},
    // Who loads over a load that is under way has not waited for the phase, but where a wait for
    // these very arrivals has let it through.
    {arrivals, overlapping, Fact::unawaited, Where::same_mbarrier, Then::is_withdrawn},
    {remarks_about_an_instruction, any, {}, Where::line_in_cause, Then::is_withdrawn},
    // Whatever lets phases end too early lets them pass those who wait.
    {passed_phases, any, {}, Where::anywhere, Then::is_withdrawn},
    // A phase that is over without its loads, and a producer that never begins.
    {uses_of_unfinished_loads, late_announcements, {}, Where::anywhere, Then::is_withdrawn},
    // Who goes on in such a phase gives its stage back for those that have not read it.
    {loads_over_unread, late_announcements, {}, Where::anywhere, Then::is_left_out},
    {vain_announcements, waits_for_stages, {}, Where::anywhere, Then::is_withdrawn},
    // A load over data that is still being read, by a thread that elsewhere reads it before the
    // load is complete: it does not wait for this load at all.
    {loads_over_unread,
     early_reads_of_loads,
     {},
     Where::swapped_lines,
     Then::is_withdrawn_by_suspicion},
    // An arrival by which phases pass those who wait lets a loader through that comes just then: a
    // slower one misses the phase.
    {reloads, overruns, {}, Where::same_thread, Then::is_withdrawn_by_suspicion},
    {handovers, overruns, {}, Where::copy_in_notes, Then::is_withdrawn_by_suspicion},
    {loads_over_unread, early_reads_of_copies, {}, Where::line_of_cause, Then::is_left_out},
    // Two loads into one place leave another one empty.
    {unwritten_factors, two_loads, {}, Where::anywhere, Then::is_left_out},
    // The load that a wait has not waited for lands while its tile is being read.
    {loads_over_factors, waits_for_too_little, {}, Where::anywhere, Then::is_left_out},
    // Where the producer's wait ends at the first of several arrivals, it is laps ahead.
    {uses_of_stages, arrivals_of_laps, {}, Where::anywhere, Then::is_left_out},
    // And where its readers hand a stage back twice.
    {loads_ahead, arrivals_ahead, {}, Where::anywhere, Then::is_left_out},
    {handovers_of_lanes, arrivals_ahead, {}, Where::anywhere, Then::is_left_out},
    {late_announcements, arrivals_ahead, {}, Where::anywhere, Then::is_left_out},
    // Nor need it be said of such loads that they collide, or that some are still under way.
    {two_loads, reloads, {}, Where::site_of_cause, Then::is_left_out},
    {loads_at_the_end, reloads, {}, Where::line_of_cause, Then::is_left_out},
    // Of a copy that its receiver does not await the sender cannot learn that it is over, either.
    {copies_at_the_senders_end,
     copies_at_the_receivers_end,
     {},
     Where::same_site,
     Then::is_left_out},
    // Who waits for a phase that ends before the last of its arrivals goes on too early.
    {uses_ordered_by_arrivals, arrivals_of_laps, {}, Where::anywhere, Then::is_left_out},
    // What is done to an mbarrier before it is initialized counts in no phase, or is lost.
    {miscounted_phases, unseen_initializations, {}, Where::anywhere, Then::is_left_out},
    // What comes unannounced counts in the next phase, and moves the bytes of all that follow.
    {uses_of_unfinished_loads, missing_announcements, {}, Where::line_of_cause, Then::is_left_out},
    {loads_over_unread, missing_announcements, {}, Where::line_of_cause, Then::is_left_out},
    // Nor does a thread come as far behind it; and one that nobody waits for is not come to where
    // somebody loads too early and others hang by that.
    {uninitialized, uses_before_initialization, {}, Where::anywhere, Then::is_left_out},
    {uninitialized, loads_ahead, Fact::unawaited, Where::same_mbarrier, Then::is_withdrawn},
    {reads_of_unwritten, unseen_initializations, {}, Where::anywhere, Then::is_left_out},
    // Who hands a stage back behind such a wait does so for lanes that have not come so far.
    {handovers_of_lanes, waits_for_too_little, {}, Where::anywhere, Then::is_left_out},
    {early_handovers, waits_for_too_little, {}, Where::anywhere, Then::is_left_out},
    // Who goes on too early gives its stage back too early, too, or loads it: how far others come
    // by that, and where they wait in vain, is chance.
    {uses_ahead, stale_waits, {}, Where::anywhere, Then::is_left_out},
    {repeated_by_one, stale_waits, {}, Where::anywhere, Then::is_left_out},
    {waits_in_vain, early_goers, {}, Where::anywhere, Then::is_left_out},
    {vain_announcements, loads_ahead, {}, Where::anywhere, Then::is_left_out},
    {vain_announcements, all_surplus_arrivals, {}, Where::anywhere, Then::is_left_out},
    {loads_at_the_end, early_goers, {}, Where::anywhere, Then::is_left_out},
    {writes_during_loads, repeated_operations, {}, Where::anywhere, Then::is_left_out},
    // Of a load that is issued twice, one may land when the other has ended the phase.
    {early_reads_of_loads, repeated_operations, {}, Where::site_of_cause, Then::is_left_out},
    // The bytes of the second time end a phase of the next lap.
    {uses_of_next_lap, repeated_by_one, {}, Where::anywhere, Then::is_left_out},
    // Who does not wait for its tile comes to it before the last one is stored.
    {unsynchronized_sources, early_reads_of_loads, {}, Where::line_of_cause, Then::is_left_out},
    // Who waits for nothing arrives again in the same phase.
    {all_surplus_arrivals, stale_waits, {}, Where::anywhere, Then::is_left_out},
    // Threads that are slower than the one that stores their tile, which does not wait for them.
    {uses_behind_stores, unsynchronized_sources, {}, Where::line_in_cause, Then::is_left_out},
    {loads_over_unread, unsynchronized_sources, {}, Where::noted_line, Then::is_left_out},
    // Where the loader does not wait at all, what is given back of the last lap is not the cause.
    {early_handovers, unasked_loads, {}, Where::noted_line, Then::is_left_out},
    {handovers, reloads, {}, Where::line_of_cause, Then::is_left_out},
    // Who reads what it has not waited for does so behind its last arrival, too.
    {early_handovers, early_reads_of_loads, {}, Where::line_of_cause, Then::is_left_out},
    {overwritten_stores, early_reads, {}, Where::same_line, Then::is_left_out},
    // Of a tile that nobody waits for, what its threads have not written over is still to come.
    {stores_of_loading, early_reads_of_loads, {}, Where::noted_line, Then::is_left_out},
    {races_of_reads, reads_of_stores, {}, Where::same_site, Then::is_left_out},
    // What is ordered by a barrier of two groups is ordered by chance: a store, too.
    {unsynchronized_sources, shared_barriers, {}, Where::anywhere, Then::is_left_out},
    // A phase that is over before all copies are done.
    {uses_of_copies, arrivals_of_copies, {}, Where::anywhere, Then::is_left_out},
    // Through a tile of another form no steps lead.
    {steps, unfit_descriptors, {}, Where::same_site, Then::is_withdrawn},
    // A write into a tile that a load is under way to meets whoever reads the tile, too.
    {races, writes_during_loads, {}, Where::site_of_cause, Then::is_left_out},
    // The next round's write, where another thread is faster than the one that copies.
    {unsynchronized_sources, overwritten_copies, {}, Where::swapped_lines, Then::is_left_out},
    // `bins[i] += 1` by several threads: what they write says all.
    {races_of_reads, races_of_writes, {}, Where::same_lines, Then::is_left_out},
    // What meets at a barrier of two groups is ordered by chance.
    {races, shared_barriers, {}, Where::anywhere, Then::is_left_out},
    // `tile[i] += 1` without a wait: that it reads too soon says all.
    {reads_of_unwritten, early_uses, {}, Where::same_line, Then::is_left_out},
    // What is read and written again there, as by an atomic, races with whoever writes it first.
    {reads_of_unwritten, races, {}, Where::same_line, Then::is_left_out},
    // Who goes on too early may come to a tile into which nothing has been loaded yet.
    {reads_of_unwritten, waits_for_too_little, {}, Where::anywhere, Then::is_left_out},
    {writes_during_loads, early_reads, {}, Where::same_lines, Then::is_left_out},
    // What is said of a warp need not be said of the CTA.
    {barriers_of_two_lines, divergent_barriers, {}, Where::same_site, Then::is_left_out},
    // Where all threads come to what one is to do, they initialize the mbarrier and issue the
    // operation.
    {issues_by_all, initializations_by_all, {}, Where::anywhere, Then::comes_beside},
}};

bool is_among(Sentence sentence, std::span<const Sentence> sentences) {
  return std::ranges::find(sentences, sentence) != sentences.end();
}

// Where the rule holds for a fact, what the fact has to be about.
std::optional<std::uint64_t> key_at(Where where, const Finding& finding, const About& about) {
  switch (where) {
    case Where::same_mbarrier:
      return about.mbarrier;
    case Where::same_phase:
      return about.phase ? std::optional(key_of(*about.phase)) : std::nullopt;
    case Where::same_operation:
      return about.operation != 0 ? std::optional<std::uint64_t>(about.operation) : std::nullopt;
    default:
      return finding.site;
  }
}

std::optional<std::uint32_t> noted_site(const Finding& finding) {
  return finding.notes.empty() ? std::nullopt : std::optional(finding.notes.front().site);
}

bool agree(Where where, const Finding& finding, const Finding& cause, const FoundInCluster& found) {
  const auto noted = noted_site(finding);
  const auto noted_by_cause = noted_site(cause);
  switch (where) {
    case Where::anywhere:
      return true;
    case Where::same_site:
      return finding.site == cause.site;
    case Where::site_of_cause:
      return finding.site == cause.site || noted == cause.site;
    case Where::line_of_cause:
      return found.source.is_one_line(finding.site, cause.site) ||
             std::ranges::any_of(finding.notes, [&](const Note& note) {
               return found.source.is_one_line(note.site, cause.site);
             });
    case Where::line_in_cause:
      return found.source.is_one_line(finding.site, cause.site) ||
             std::ranges::any_of(cause.notes, [&](const Note& note) {
               return found.source.is_one_line(finding.site, note.site);
             });
    case Where::copy_in_notes:
      return std::ranges::any_of(cause.notes, [&](const Note& note) {
        return found.source.are_copies(finding.site, note.site);
      });
    case Where::same_thread:
      return noted_by_cause && finding.cta == cause.cta && finding.thread == cause.thread &&
             std::ranges::any_of(finding.notes, [&](const Note& note) {
               return found.source.is_one_line(note.site, *noted_by_cause);
             });
    case Where::swapped_lines:
      return noted && noted_by_cause && found.source.is_one_line(*noted, cause.site) &&
             found.source.is_one_line(*noted_by_cause, finding.site);
    case Where::noted_line:
      return noted && noted_by_cause && found.source.is_one_line(*noted, *noted_by_cause);
    case Where::same_line:
      return noted_by_cause && found.source.is_one_line(cause.site, finding.site);
    case Where::same_lines:
      return noted && noted_by_cause && found.source.is_one_line(cause.site, finding.site) &&
             found.source.is_one_line(*noted_by_cause, *noted);
    default:  // of facts
      return false;
  }
}

bool has_cause(const Consequence& row, const Finding& finding, const About& about,
               const FoundInCluster& found) {
  if (row.fact) {
    const auto key = key_at(row.where, finding, about);
    if (!key || !found.facts.contains({*row.fact, *key})) return false;
    return row.causes.empty() || std::ranges::any_of(found.reported, [&](const Finding& other) {
             return is_among(other.sentence, row.causes);
           });
  }
  const auto is_cause = [&](const Finding& other) {
    const bool may_be = row.causes.empty() ? other.sentence != finding.sentence
                                           : is_among(other.sentence, row.causes);
    return may_be && agree(row.where, finding, other, found);
  };
  if (row.then == Then::is_withdrawn_by_suspicion) {
    return std::ranges::any_of(found.suspicions, is_cause, &Suspicion::finding);
  }
  return std::ranges::any_of(found.reported, is_cause);
}

}  // namespace

std::span<const Consequence> consequences() {
  return table;
}

const Consequence* find_consequence(const Finding& finding, const About& about, Then then,
                                    const FoundInCluster& found) {
  const auto row = std::ranges::find_if(table, [&](const Consequence& each) {
    return each.then == then &&
           (each.sentences.empty() || is_among(finding.sentence, each.sentences)) &&
           has_cause(each, finding, about, found);
  });
  return row == table.end() ? nullptr : &*row;
}

int depth_of(Sentence sentence) {
  constexpr int deepest = 8;  // behind whatever has a depth of its own
  int depth = 0;
  for (const Consequence& row : table) {
    const bool has_findings = !row.fact || !row.causes.empty();
    if (row.then != Then::is_withdrawn || !has_findings || !is_among(sentence, row.sentences)) {
      continue;
    }
    if (row.causes.empty()) return row.where == Where::anywhere ? deepest + 1 : deepest;
    for (const Sentence cause : row.causes) depth = std::max(depth, depth_of(cause) + 1);
  }
  return depth;
}

}  // namespace tmaemu::check
