// The registry of findings: every code, and every sentence that a finding can say. Nothing else in
// the repository knows a code's kind, its CUDA error, its page or its words.
// handout/inside/add-a-finding.md says how one is added.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "emulator/model/outcome.h"

namespace tmaemu {

enum class FindingKind : std::uint8_t {
  finding,      // the program goes on
  fault,        // the kernel ends, as on hardware
  deadlock,     // the kernel ends; hardware would hang
  not_modeled,  // the kernel ends; the program may be right
};

enum class FindingCode : std::uint8_t {
  missing_proxy_fence,
  unsynchronized_tma_store,
  read_before_wait,
  write_during_load,
  store_of_loading_tile,
  overwrite_before_read_done,
  load_over_unread_data,
  overlapping_tma_writes,
  smem_released_early,
  store_not_awaited,
  wait_wrong_parity,
  phase_overrun,
  expect_too_many,
  expect_too_few,
  arrival_overflow,
  barrier_reinit,
  missing_barrier_init_fence,
  wait_without_commit,
  divergent_issue,
  divergent_barrier,
  uninitialized_read,
  out_of_bounds,
  data_race,
  cluster_not_ready,
  missing_tensor_map_fence,
  bad_tensor_map,
  illegal_address,
  misaligned_address,
  invalid_address_space,
  illegal_instruction,
  barrier_of_another_cta,
  no_such_cta,
  assertion,
  trap,
  deadlock,
  not_modeled,
  not_told,
};

struct CodeEntry {
  FindingCode code;
  std::string_view name;  // stable: "missing-proxy-fence"
  FindingKind kind;
  LaunchOutcome outcome;        // of the launch that has it
  std::string_view cuda_error;  // that the launch ends with; empty where the program goes on
  std::string_view page;        // of the handout, nearest to the mistake
  // Whether it costs points. False: a remark, which travels to the reports and changes no verdict.
  bool costs_points = true;
};

std::span<const CodeEntry> finding_codes();
const CodeEntry& entry_of(FindingCode code);
// Of what a kernel does wrong at once, in which order it is told: causes come before what they lead
// to.
unsigned telling_rank_of(FindingCode code);
// Nothing where the registry has no such name.
std::optional<FindingCode> find_finding_code(std::string_view name);
// "finding", "fault", "deadlock", "not-modeled".
std::string_view name_of(FindingKind kind);

// What a finding says: one enumerator for each sentence.
enum class Sentence : std::uint8_t {
  store_reads_unfenced,
  load_overwrites_unfenced,
  load_reads_unfenced,
  store_overwrites_unfenced,
  load_over_unfenced_reads,
  store_reads_unsynchronized,
  read_before_load_done,
  read_before_copy_done,
  write_during_load,
  write_during_copy,
  write_to_load_source,
  store_reads_loading_tile,
  store_source_overwritten,
  copy_source_overwritten,
  load_overwrites_store_source,
  load_over_unread_data,
  overlapping_loads,
  overlapping_stores,
  overlapping_stores_of_ctas,
  store_over_itself,
  reductions_of_two_kinds,
  cta_ends_before_store_read,
  cta_ends_before_load_landed,
  cta_ends_before_copy_landed,
  cta_ends_before_copy_read,
  access_outlives_cta,
  mbarrier_of_ended_cta,
  read_of_unawaited_store,
  store_of_earlier_launch,
  write_over_unawaited_store,
  load_of_unawaited_store,
  wait_returned_for_past_phase,
  wait_for_passed_parity,
  phase_passed_waiting_thread,
  more_bytes_announced,
  no_bytes_announced,
  fewer_bytes_announced,
  announced_behind_arrivals,
  mbarrier_init_count,
  mbarrier_arrivals,
  mbarrier_arrival_count,
  mbarrier_tx_count,
  async_arrivals_beyond_count,
  arrival_beyond_count,
  mbarrier_initialized_by_all,
  mbarrier_initialized_twice,
  mbarrier_invalidated_in_use,
  mbarrier_used_after_invalidation,
  mbarrier_overwritten,
  mbarrier_uninitialized,
  mbarrier_used_before_initialization,
  operation_before_initialization,
  mbarrier_of_other_cta_unseen,
  operation_on_unseen_mbarrier,
  waited_for_uncommitted,
  copies_not_committed,
  waited_for_by_another_thread,
  issued_twice,
  issued_again,
  barrier_in_divergent_code,
  barrier_of_two_groups,
  barrier_arrived_at_twice,
  barrier_of_two_counts,
  barrier_at_two_lines,
  cluster_wait_without_arrival,
  cluster_arrival_without_wait,
  lane_outside_of_mask,
  lanes_never_come,
  lanes_went_around,
  absent_lane_read,
  shared_never_written,
  global_never_written,
  load_of_fresh_memory,
  reduction_onto_fresh_memory,
  store_source_never_written,
  store_source_partly_written,
  access_outside_variable,
  operation_outside_variable,
  race_of_read,
  race_of_read_by_ctas,
  race_of_writes,
  race_of_writes_by_ctas,
  tensor_map_changed_in_use,
  read_only_load_of_written,
  read_beside_earlier_launch,
  write_beside_earlier_launch,
  access_beside_copy,
  access_beside_allocation,
  access_beside_free,
  cta_not_known_to_run,
  load_on_uninitialized_mbarrier,
  load_beyond_tx_count,
  copy_on_uninitialized_mbarrier,
  copy_beyond_arrivals,
  copy_beyond_tx_count,
  tensor_map_not_acquired,
  tensor_map_not_released,
  tensor_map_acquired_early,
  tensor_map_fence_of_one_cta,
  tensor_map_in_local_memory,
  tensor_map_in_shared_memory,
  tensor_map_invalid,

  global_access_outside,
  shared_access_outside,
  access_of_no_cta,
  access_of_missing_cta,
  operand_of_no_cta,
  operand_of_missing_cta,
  local_access_outside,
  parameter_access_outside,
  shared_operand_outside,
  box_beyond_shared,
  bulk_copy_outside,
  box_outside,
  tma_memory_freed,
  async_copy_source_freed,
  multicast_beyond_cluster,
  pair_beyond_cluster,
  local_stack_too_large,
  free_of_no_allocation,

  access_misaligned,
  mbarrier_misaligned,
  operand_misaligned,
  bulk_copy_between_units,
  size_misaligned,

  barrier_number,
  barrier_thread_count,
  multicast_mask_empty,
  tensor_map_unusable,
  tensor_operation_of_other_map,
  written_box_before_tensor,
  loaded_box_between_units,
  written_box_between_units,
  pixel_outside_bounding_box,
  written_bounding_box_beyond_image,
  im2col_offset_too_large,
  tensor_reduction_of_no_type,
  replace_in_no_tensor_map,
  replace_value,
  part_of_warp,
  branch_index,
  async_store_without_cluster,
  indirect_call_nowhere,

  mbarrier_apart_from_tile,
  mbarrier_apart_from_pair,
  async_store_mbarrier_apart,
  operation_completes_elsewhere,

  assertion_failed,
  trap_executed,
  printf_width,
  all_threads_wait,

  instruction_refused,
  indirect_call_parameters,
  arrival_completes_phase,
  async_copy_source_size,

  findings_not_told,
};

struct SentenceEntry {
  Sentence sentence;
  FindingCode code;
  // Each {} is one of the finding's values, in this order; {rule} the rule that was broken.
  std::string_view text;
  std::string_view help;  // what to write instead; empty where the message says it
};

std::span<const SentenceEntry> finding_sentences();
const SentenceEntry& entry_of(Sentence sentence);

// What is said of another place that has to do with a finding.
enum class NoteSentence : std::uint8_t {
  written_here,
  written_by,
  written_by_earlier_launch,
  read_by_earlier_launch,
  read_here,
  load_issued_here,
  copy_issued_here,
  store_issued_here,
  also_issued_here,
  announced_here,
  initialized_here,
  invalidated_here,
  also_arrived_here,
  count_given_here,
  arrives_here,
  ends_wait_here,
  ends_next_phase_here,
  map_changed_here,
  in_this_function,
  called_here,
};

struct NoteEntry {
  NoteSentence sentence;
  std::string_view text;  // {bytes} and {thread} are the note's
};

std::span<const NoteEntry> note_sentences();
const NoteEntry& entry_of(NoteSentence sentence);

}  // namespace tmaemu
