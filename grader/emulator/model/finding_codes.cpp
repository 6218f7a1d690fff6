#include "emulator/model/finding_codes.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tmaemu {
namespace {

using enum FindingCode;
using Kind = FindingKind;
using Outcome = LaunchOutcome;

constexpr std::string_view proxies = "handout/guide/proxies.md";
constexpr std::string_view stores = "handout/guide/stores.md";
constexpr std::string_view mbarriers = "handout/guide/mbarriers.md";
constexpr std::string_view findings = "handout/emulator.md#findings";
constexpr std::string_view faults = "handout/emulator.md#faults";
constexpr std::string_view deadlocks = "handout/emulator.md#deadlocks";

constexpr std::array codes{
    CodeEntry{missing_proxy_fence, "missing-proxy-fence", Kind::finding, Outcome::completed, "",
              proxies},
    CodeEntry{unsynchronized_tma_store, "unsynchronized-tma-store", Kind::finding,
              Outcome::completed, "", proxies},
    CodeEntry{overwrite_before_read_done, "overwrite-before-read-done", Kind::finding,
              Outcome::completed, "", stores},
    CodeEntry{smem_released_early, "smem-released-early", Kind::finding, Outcome::completed, "",
              stores},
    CodeEntry{missing_barrier_init_fence, "missing-barrier-init-fence", Kind::finding,
              Outcome::completed, "", mbarriers},
    CodeEntry{arrival_overflow, "arrival-overflow", Kind::finding, Outcome::completed, "",
              mbarriers},
    CodeEntry{barrier_misuse, "barrier-misuse", Kind::finding, Outcome::completed, "", mbarriers},
    CodeEntry{missing_tensor_map_fence, "missing-tensor-map-fence", Kind::finding,
              Outcome::completed, "", "handout/guide/tensor-map-edit.md"},
    CodeEntry{bad_tensor_map, "bad-tensor-map", Kind::finding, Outcome::completed, "",
              "handout/guide/tensor-maps.md"},
    CodeEntry{illegal_address, "illegal-address", Kind::fault, Outcome::illegal_address,
              "cudaErrorIllegalAddress", faults},
    CodeEntry{misaligned_address, "misaligned-address", Kind::fault, Outcome::misaligned_address,
              "cudaErrorMisalignedAddress", "handout/guide/alignment.md"},
    CodeEntry{invalid_address_space, "invalid-address-space", Kind::fault,
              Outcome::invalid_address_space, "cudaErrorInvalidAddressSpace", faults},
    CodeEntry{illegal_instruction, "illegal-instruction", Kind::fault, Outcome::illegal_instruction,
              "cudaErrorIllegalInstruction", faults},
    CodeEntry{no_such_cta, "no-such-cta", Kind::fault, Outcome::trap, "cudaErrorLaunchFailure",
              faults},
    CodeEntry{assertion, "assertion", Kind::fault, Outcome::assertion, "cudaErrorAssert", faults},
    CodeEntry{trap, "trap", Kind::fault, Outcome::trap, "cudaErrorLaunchFailure", faults},
    CodeEntry{deadlock, "deadlock", Kind::deadlock, Outcome::deadlock, "cudaErrorLaunchTimeout",
              deadlocks},
    CodeEntry{not_modeled, "not-modeled", Kind::not_modeled, Outcome::not_modeled,
              "cudaErrorNotSupported", faults},
    // Said by the judge, of findings that it knows the number of and no more.
    CodeEntry{not_told, "not-told", Kind::finding, Outcome::completed, "", findings},
};

constexpr std::string_view help_on_unordered_stores =
    "each writing thread calls async_proxy_fence(), then all threads synchronize "
    "(__syncthreads()), then one thread issues the store";
constexpr std::string_view help_on_uninitialized_mbarriers =
    "one thread calls init_barrier() and fence_barrier_init(), then all threads synchronize, then "
    "the mbarrier is used";
constexpr std::string_view help_on_remote_mbarriers =
    "the initializing thread calls fence_barrier_init(), then all threads of the cluster pass "
    "cluster_arrive() and cluster_wait(), then the mbarrier is used";
constexpr std::string_view help_on_arrivals =
    "the counts of all arrivals of a phase add up to the count that init_barrier() was given";
constexpr std::string_view help_on_loads =
    "initialize the mbarrier before the load is issued, and let it live until the load is waited "
    "for";
constexpr std::string_view help_on_copies =
    "initialize the mbarrier before the copy is issued, and let it live until the copy is waited "
    "for";
constexpr std::string_view help_on_tensor_maps =
    "declare the kernel's parameter `const __grid_constant__ CUtensorMap`, so that its address is "
    "that of the parameter and not of a copy";
constexpr std::string_view help_on_what_is_not_modeled =
    "the emulator stops rather than guess; run this program on an sm_90 GPU";

// The table's rows, a little shorter.
using Row = SentenceEntry;
using Says = Sentence;

constexpr std::array sentences{
    Row{Says::store_reads_unfenced, missing_proxy_fence,
        "TMA store reads shared memory that no proxy fence has made visible",
        "each writing thread calls async_proxy_fence() after its last write and before the barrier "
        "that precedes the store"},
    Row{Says::store_reads_unsynchronized, unsynchronized_tma_store,
        "TMA store reads shared memory that another thread may still be writing",
        help_on_unordered_stores},
    Row{Says::store_source_overwritten, overwrite_before_read_done,
        "shared memory is overwritten while a TMA store may still be reading it",
        "before the tile is written again, the thread that issued the store waits with "
        "tma_wait_until_pending_read<N>(), and then all threads synchronize"},
    Row{Says::load_overwrites_store_source, overwrite_before_read_done,
        "a TMA load overwrites shared memory that a TMA store may still be reading",
        "the thread that issued the store commits it and waits with "
        "tma_wait_until_pending_read<N>() before the stage is loaded again"},
    Row{Says::cta_ends_before_store_read, smem_released_early,
        "the CTA ends while a TMA store may still read its shared memory",
        "the thread that issued the store commits it and waits with "
        "tma_wait_until_pending_read<0>() before it returns"},
    Row{Says::cta_ends_before_load_landed, smem_released_early,
        "the CTA ends while a TMA load into its shared memory is in flight",
        "wait on the load's mbarrier before the kernel returns"},
    Row{Says::cta_ends_before_copy_landed, smem_released_early,
        "a CTA ends while another CTA's copy into it is in flight",
        "wait on the copy's mbarrier before the kernel returns"},
    Row{Says::cta_ends_before_copy_read, smem_released_early,
        "a CTA ends while a copy to another CTA may still read its shared memory",
        "when the receivers have waited for their copies, all threads of the cluster pass "
        "cluster_arrive() and cluster_wait(), and then the kernel returns"},
    Row{Says::operation_into_ended_cta, smem_released_early,
        "a TMA operation writes to shared memory of a CTA that has ended",
        "each CTA waits on its mbarrier for what others send to it, before it returns"},
    Row{Says::mbarrier_uninitialized, missing_barrier_init_fence,
        "an mbarrier cannot take this operation: it is not initialized",
        help_on_uninitialized_mbarriers},
    Row{Says::mbarrier_of_other_cta_unseen, missing_barrier_init_fence,
        "an mbarrier of another CTA is used, and nothing makes sure that it is initialized by now",
        help_on_remote_mbarriers},
    Row{Says::operation_on_unseen_mbarrier, missing_barrier_init_fence,
        "a TMA operation is to complete on an mbarrier of another CTA, and nothing makes sure that "
        "it is initialized by now",
        "the initializing thread calls fence_barrier_init(), then all threads of the cluster pass "
        "cluster_arrive() and cluster_wait(), then the operation is issued"},
    Row{Says::mbarrier_init_count, arrival_overflow,
        "an mbarrier is initialized with an arrival count of {}; it must be 1 to {}",
        "count the arrivals that complete one phase"},
    Row{Says::mbarrier_arrivals, arrival_overflow,
        "an mbarrier cannot take this operation: the phase has {} of its {} arrivals left, and {}",
        help_on_arrivals},
    Row{Says::mbarrier_arrival_count, arrival_overflow,
        "an mbarrier cannot take this operation: the count of arrivals is {}; it must be 1 to {}",
        help_on_arrivals},
    Row{Says::mbarrier_tx_count, arrival_overflow,
        "an mbarrier cannot take this operation: its tx-count would become {}, and the limit is {} "
        "bytes",
        "announce each load's bytes once, in the phase in which they arrive"},
    Row{Says::async_arrivals_beyond_count, arrival_overflow,
        "an mbarrier would wait for more arrivals than it can count",
        "count the arrivals when it is initialized, and use .noinc"},
    Row{Says::load_on_uninitialized_mbarrier, barrier_misuse,
        "a TMA load completes on an mbarrier that cannot take it: it is not initialized",
        help_on_loads},
    Row{Says::load_beyond_tx_count, barrier_misuse,
        "a TMA load completes on an mbarrier that cannot take it: its tx-count would become {}, "
        "and the limit is {} bytes",
        help_on_loads},
    Row{Says::copy_on_uninitialized_mbarrier, barrier_misuse,
        "an asynchronous copy signals an mbarrier that cannot take it: it is not initialized",
        help_on_copies},
    Row{Says::copy_beyond_arrivals, barrier_misuse,
        "an asynchronous copy signals an mbarrier that cannot take it: the phase has {} of its {} "
        "arrivals left, and {}",
        help_on_copies},
    Row{Says::copy_beyond_tx_count, barrier_misuse,
        "an asynchronous copy signals an mbarrier that cannot take it: its tx-count would become "
        "{}, and the limit is {} bytes",
        help_on_copies},
    Row{Says::tensor_map_not_acquired, missing_tensor_map_fence,
        "the tensor map was changed by this kernel, and no fence of this CTA lets the TMA engine "
        "see it: it may use an old copy of the map",
        "each thread that issues copies calls tensor_map_fence_acquire(map) when it knows of the "
        "change and before its first copy"},
    Row{Says::tensor_map_in_local_memory, bad_tensor_map,
        "the tensor map is in the thread's own memory, where the TMA engine need not find it",
        help_on_tensor_maps},
    Row{Says::tensor_map_in_shared_memory, bad_tensor_map,
        "the tensor map is in shared memory, where the TMA engine need not find it",
        help_on_tensor_maps},
    Row{Says::tensor_map_invalid, bad_tensor_map,
        "the TMA instruction is given no valid tensor map: {rule}",
        "encode the map on the host, check the result, and pass it to the kernel as `const "
        "__grid_constant__ CUtensorMap`"},

    Row{Says::global_access_outside, illegal_address, "{} of {} bytes at global address {}: {}",
        ""},
    Row{Says::shared_access_outside, illegal_address,
        "{} of {} bytes at shared address {}, outside the {} bytes of shared memory that the CTA "
        "has",
        ""},
    Row{Says::access_of_no_cta, illegal_instruction,
        "{} of {} bytes at shared address {}, in the CTA of rank {} of a cluster of {}: mapa makes "
        "such an address from a rank that does not exist",
        ""},
    Row{Says::access_of_missing_cta, no_such_cta,
        "{} of {} bytes at shared address {}, in the CTA of rank {} of a cluster of {}: mapa makes "
        "such an address from a rank that does not exist",
        ""},
    Row{Says::operand_of_no_cta, illegal_instruction,
        "{} is in the CTA of rank {} of a cluster of {}: mapa makes such an address from a rank "
        "that does not exist",
        ""},
    Row{Says::operand_of_missing_cta, no_such_cta,
        "{} is in the CTA of rank {} of a cluster of {}: mapa makes such an address from a rank "
        "that does not exist",
        ""},
    Row{Says::local_access_outside, illegal_address,
        "{} of {} bytes at local address {}, outside the thread's {} bytes of local memory", ""},
    Row{Says::parameter_access_outside, illegal_address,
        "{} of {} bytes at kernel parameter address {}: parameters are {} bytes and read-only", ""},
    Row{Says::shared_operand_outside, illegal_address,
        "{} at {} ({} bytes) is not in shared memory of this cluster; each CTA has {} bytes", ""},
    Row{Says::bulk_copy_outside, illegal_address,
        "a bulk copy of {} global bytes leaves its allocation: the {} byte is {}", ""},
    Row{Says::box_outside, illegal_address,
        "the tensor map describes more memory than there is: the box touches {}", ""},
    Row{Says::tma_memory_freed, illegal_address,
        "a TMA operation is done when its global memory is none any more: {}", ""},
    Row{Says::async_copy_source_freed, illegal_address,
        "a cp.async reads its source when it is no memory any more: {}", ""},
    Row{Says::multicast_beyond_cluster, illegal_address,
        "a multicast mask names the CTA of rank {}, and the cluster has {} CTAs", ""},
    Row{Says::pair_beyond_cluster, illegal_address,
        "with .cta_group::2 the mbarrier of the CTA of rank {} is signaled, and the cluster has {} "
        "CTAs",
        ""},
    Row{Says::local_stack_too_large, illegal_address,
        "the thread's stack of local memory would grow to {} bytes, and a thread has at most {}",
        ""},
    Row{Says::free_of_no_allocation, illegal_address,
        "free() is given what malloc() did not return", ""},

    Row{Says::access_misaligned, misaligned_address,
        "{} of {} bytes at {} address {}, which is not a multiple of {}", ""},
    Row{Says::mbarrier_misaligned, misaligned_address,
        "an mbarrier at shared address {}, which is not a multiple of 8", ""},
    Row{Says::operand_misaligned, misaligned_address, "{} is {}, which is not a multiple of {}",
        ""},

    Row{Says::barrier_number, illegal_instruction,
        "barrier {} does not exist; a CTA has 16, 0 to 15", ""},
    Row{Says::barrier_thread_count, illegal_instruction,
        "a barrier counts {} threads, which is not a multiple of the warp size", ""},
    Row{Says::multicast_mask_empty, illegal_instruction, "a multicast mask names no CTA", ""},
    Row{Says::tensor_map_unusable, illegal_instruction,
        "a TMA instruction with an invalid tensor map", ""},
    Row{Says::tensor_operation_refused, illegal_instruction, "{rule}", ""},
    Row{Says::mbarrier_apart_from_tile, illegal_instruction,
        "the tile lies in the CTA of rank {} and the mbarrier in that of rank {}: only with "
        ".cta_group::2 may it lie in another CTA than the tile",
        ""},
    Row{Says::mbarrier_apart_from_pair, illegal_instruction,
        "the tile lies in the CTA of rank {} and the mbarrier in that of rank {}, which is not its "
        "peer: a pair has ranks that differ in the last bit",
        ""},
    Row{Says::replace_in_no_tensor_map, illegal_instruction,
        "tensormap.replace is given no tensor map: {rule}", ""},
    Row{Says::replace_value, illegal_instruction,
        "tensormap.replace asks for {}, which there is not", ""},
    Row{Says::part_of_warp, illegal_instruction,
        "an instruction for whole warps is executed by some of the lanes only", ""},
    Row{Says::branch_index, illegal_instruction,
        "brx.idx has the index {}, and its list has {} targets", ""},
    Row{Says::async_store_without_cluster, illegal_instruction,
        "{} in a kernel that is not launched with a cluster, which it needs also where the shared "
        "memory is the thread's own",
        "give the kernel __cluster_dims__"},
    Row{Says::async_store_mbarrier_apart, illegal_instruction,
        "an asynchronous store and its mbarrier are in different CTAs", ""},
    Row{Says::indirect_call_nowhere, illegal_instruction,
        "an indirect call goes to address {}, where no function of this module is", ""},

    Row{Says::assertion_failed, assertion, "{}:{}: {}: {} Assertion `{}` failed.", ""},
    Row{Says::trap_executed, trap, "the kernel executed a trap instruction", ""},
    Row{Says::printf_width, trap,
        "printf is asked for a width or a precision of more than {} characters", ""},
    Row{Says::all_threads_wait, deadlock,
        "nothing in the kernel can run any more: all threads wait", ""},

    Row{Says::instruction_refused, not_modeled, "{}", help_on_what_is_not_modeled},
    Row{Says::indirect_call_parameters, not_modeled,
        "an indirect call of {} does not pass the parameters that the function has",
        help_on_what_is_not_modeled},
    Row{Says::arrival_completes_phase, not_modeled,
        "an arrival with .noComplete completes the phase, which is undefined",
        help_on_what_is_not_modeled},
    Row{Says::async_copy_source_size, not_modeled,
        "cp.async of {} bytes is given a source of {}, which is undefined",
        help_on_what_is_not_modeled},

    Row{Says::findings_not_told, not_told, "the emulator found {} that cannot be told",
        "mend what is told, and test again"},
};

constexpr std::array notes{
    NoteEntry{NoteSentence::written_here,
              "{bytes} was written here through the generic proxy by {thread}"},
    NoteEntry{NoteSentence::store_issued_here,
              "the store was issued here, and nobody has waited for it"},
    NoteEntry{NoteSentence::map_changed_here, "the map was changed here"},
    NoteEntry{NoteSentence::in_this_function, "in this function of the interface"},
};

// Each row stands at the place of its enumerator, so that a look-up is an index.
template <class Table, class Member>
constexpr bool is_in_order(const Table& table, Member id) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].*id) != i) return false;
  }
  return true;
}
static_assert(is_in_order(codes, &CodeEntry::code));
static_assert(is_in_order(sentences, &SentenceEntry::sentence));
static_assert(is_in_order(notes, &NoteEntry::sentence));
// A row is missing where an enumerator behind the last row has none.
static_assert(codes.size() == static_cast<std::size_t>(FindingCode::not_told) + 1);
static_assert(sentences.size() == static_cast<std::size_t>(Says::findings_not_told) + 1);
static_assert(notes.size() == static_cast<std::size_t>(NoteSentence::in_this_function) + 1);

}  // namespace

std::span<const CodeEntry> finding_codes() {
  return codes;
}
std::span<const SentenceEntry> finding_sentences() {
  return sentences;
}
std::span<const NoteEntry> note_sentences() {
  return notes;
}

const CodeEntry& entry_of(FindingCode code) {
  return codes[static_cast<std::size_t>(code)];
}
const SentenceEntry& entry_of(Sentence sentence) {
  return sentences[static_cast<std::size_t>(sentence)];
}
const NoteEntry& entry_of(NoteSentence sentence) {
  return notes[static_cast<std::size_t>(sentence)];
}

std::optional<FindingCode> find_finding_code(std::string_view name) {
  const auto found = std::ranges::find(codes, name, &CodeEntry::name);
  if (found == codes.end()) return std::nullopt;
  return found->code;
}

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case Kind::finding:
      return "finding";
    case Kind::fault:
      return "fault";
    case Kind::deadlock:
      return "deadlock";
    case Kind::not_modeled:
      return "not-modeled";
  }
  return "";
}

}  // namespace tmaemu
