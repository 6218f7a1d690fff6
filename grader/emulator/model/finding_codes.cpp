#include "emulator/model/finding_codes.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tmaemu {
namespace {

using enum FindingCode;
using Kind = FindingKind;
using Outcome = LaunchOutcome;

constexpr std::array codes{
    CodeEntry{missing_proxy_fence, "missing-proxy-fence", Kind::finding, Outcome::completed, "",
              "handout/findings/missing-proxy-fence.md"},
    CodeEntry{unsynchronized_tma_store, "unsynchronized-tma-store", Kind::finding,
              Outcome::completed, "", "handout/findings/unsynchronized-tma-store.md"},
    CodeEntry{read_before_wait, "read-before-wait", Kind::finding, Outcome::completed, "",
              "handout/findings/read-before-wait.md"},
    CodeEntry{write_during_load, "write-during-load", Kind::finding, Outcome::completed, "",
              "handout/findings/write-during-load.md"},
    CodeEntry{store_of_loading_tile, "store-of-loading-tile", Kind::finding, Outcome::completed, "",
              "handout/findings/store-of-loading-tile.md"},
    CodeEntry{overwrite_before_read_done, "overwrite-before-read-done", Kind::finding,
              Outcome::completed, "", "handout/findings/overwrite-before-read-done.md"},
    CodeEntry{load_over_unread_data, "load-over-unread-data", Kind::finding, Outcome::completed, "",
              "handout/findings/load-over-unread-data.md"},
    CodeEntry{overlapping_tma_writes, "overlapping-tma-writes", Kind::finding, Outcome::completed,
              "", "handout/findings/overlapping-tma-writes.md"},
    CodeEntry{smem_released_early, "smem-released-early", Kind::finding, Outcome::completed, "",
              "handout/findings/smem-released-early.md"},
    CodeEntry{store_not_awaited, "store-not-awaited", Kind::finding, Outcome::completed, "",
              "handout/findings/store-not-awaited.md"},
    CodeEntry{wait_wrong_parity, "wait-wrong-parity", Kind::finding, Outcome::completed, "",
              "handout/findings/wait-wrong-parity.md"},
    CodeEntry{phase_overrun, "phase-overrun", Kind::finding, Outcome::completed, "",
              "handout/findings/phase-overrun.md"},
    CodeEntry{expect_too_many, "expect-too-many", Kind::finding, Outcome::completed, "",
              "handout/findings/expect-too-many.md"},
    CodeEntry{expect_too_few, "expect-too-few", Kind::finding, Outcome::completed, "",
              "handout/findings/expect-too-few.md"},
    CodeEntry{arrival_overflow, "arrival-overflow", Kind::finding, Outcome::completed, "",
              "handout/findings/arrival-overflow.md"},
    CodeEntry{barrier_reinit, "barrier-reinit", Kind::finding, Outcome::completed, "",
              "handout/findings/barrier-reinit.md"},
    CodeEntry{missing_barrier_init_fence, "missing-barrier-init-fence", Kind::finding,
              Outcome::completed, "", "handout/findings/missing-barrier-init-fence.md"},
    CodeEntry{wait_without_commit, "wait-without-commit", Kind::finding, Outcome::completed, "",
              "handout/findings/wait-without-commit.md"},
    CodeEntry{divergent_issue, "divergent-issue", Kind::finding, Outcome::completed, "",
              "handout/findings/divergent-issue.md"},
    CodeEntry{divergent_barrier, "divergent-barrier", Kind::finding, Outcome::completed, "",
              "handout/findings/divergent-barrier.md"},
    CodeEntry{uninitialized_read, "uninitialized-read", Kind::finding, Outcome::completed, "",
              "handout/findings/uninitialized-read.md"},
    CodeEntry{out_of_bounds, "out-of-bounds", Kind::finding, Outcome::completed, "",
              "handout/findings/out-of-bounds.md"},
    CodeEntry{data_race, "data-race", Kind::finding, Outcome::completed, "",
              "handout/findings/data-race.md"},
    CodeEntry{cluster_not_ready, "cluster-not-ready", Kind::finding, Outcome::completed, "",
              "handout/findings/cluster-not-ready.md"},
    CodeEntry{missing_tensor_map_fence, "missing-tensor-map-fence", Kind::finding,
              Outcome::completed, "", "handout/findings/missing-tensor-map-fence.md"},
    CodeEntry{bad_tensor_map, "bad-tensor-map", Kind::finding, Outcome::completed, "",
              "handout/findings/bad-tensor-map.md"},
    CodeEntry{illegal_address, "illegal-address", Kind::fault, Outcome::illegal_address,
              "cudaErrorIllegalAddress", "handout/findings/illegal-address.md"},
    CodeEntry{misaligned_address, "misaligned-address", Kind::fault, Outcome::misaligned_address,
              "cudaErrorMisalignedAddress", "handout/findings/misaligned-address.md"},
    CodeEntry{invalid_address_space, "invalid-address-space", Kind::fault,
              Outcome::invalid_address_space, "cudaErrorInvalidAddressSpace",
              "handout/findings/invalid-address-space.md"},
    CodeEntry{illegal_instruction, "illegal-instruction", Kind::fault, Outcome::illegal_instruction,
              "cudaErrorIllegalInstruction", "handout/findings/illegal-instruction.md"},
    CodeEntry{barrier_of_another_cta, "barrier-of-another-cta", Kind::fault,
              Outcome::illegal_instruction, "cudaErrorIllegalInstruction",
              "handout/findings/barrier-of-another-cta.md"},
    CodeEntry{no_such_cta, "no-such-cta", Kind::fault, Outcome::trap, "cudaErrorLaunchFailure",
              "handout/findings/no-such-cta.md"},
    CodeEntry{assertion, "assertion", Kind::fault, Outcome::assertion, "cudaErrorAssert",
              "handout/findings/assertion.md"},
    CodeEntry{trap, "trap", Kind::fault, Outcome::trap, "cudaErrorLaunchFailure",
              "handout/findings/trap.md"},
    CodeEntry{deadlock, "deadlock", Kind::deadlock, Outcome::deadlock, "cudaErrorLaunchTimeout",
              "handout/findings/deadlock.md"},
    CodeEntry{not_modeled, "not-modeled", Kind::not_modeled, Outcome::not_modeled,
              "cudaErrorNotSupported", "handout/findings/not-modeled.md"},
    // Said by the judge, of findings that it knows the number of and no more.
    CodeEntry{not_told, "not-told", Kind::finding, Outcome::completed, "",
              "handout/findings/not-told.md"},
};

constexpr std::string_view help_on_unordered_stores =
    "each writing thread calls async_proxy_fence(), then all threads synchronize "
    "(__syncthreads()), then one thread issues the store";
constexpr std::string_view help_on_uninitialized_mbarriers =
    "one thread calls init_barrier() and async_proxy_fence(), then all threads synchronize, then "
    "the mbarrier is used";
constexpr std::string_view help_on_remote_mbarriers =
    "the initializing thread calls fence_barrier_init(), then all threads of the cluster pass "
    "cluster_arrive() and cluster_wait(), then the mbarrier is used";
constexpr std::string_view help_on_arrivals =
    "the counts of all arrivals of a phase add up to the count that init_barrier() was given";
constexpr std::string_view help_on_launches =
    "launch both into one stream, or let the second one's stream wait for an event behind the "
    "first (cudaStreamWaitEvent); a kernel that is launched to start early calls "
    "cudaGridDependencySynchronize() (griddepcontrol.wait) before it touches what the earlier one "
    "does";
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
    Row{Says::load_overwrites_unfenced, missing_proxy_fence,
        "a TMA load overwrites {} that threads have written, and no proxy fence lies between",
        "each thread that wrote there calls async_proxy_fence() after its last write and before "
        "the barrier that precedes the load"},
    Row{Says::load_reads_unfenced, missing_proxy_fence,
        "a TMA load reads what threads of this kernel have written at {}, and no proxy fence of "
        "global memory lies between",
        "each writing thread calls async_proxy_fence_global() after its last write, then the "
        "threads synchronize, then the load is issued"},
    Row{Says::store_overwrites_unfenced, missing_proxy_fence,
        "a TMA store writes over what threads of this kernel have written at {}, and no proxy "
        "fence of global memory lies between",
        "each writing thread calls async_proxy_fence_global() after its last write, then the "
        "threads synchronize, then the store is issued"},
    Row{Says::load_over_unfenced_reads, missing_proxy_fence,
        "a TMA load overwrites {} that threads have read, and no proxy fence lies between (said by "
        "--check=strict only)",
        "each reading thread calls async_proxy_fence() after its last read and before it tells "
        "that the tile is free"},
    Row{Says::store_reads_unsynchronized, unsynchronized_tma_store,
        "TMA store reads shared memory that another thread may still be writing",
        help_on_unordered_stores},
    Row{Says::read_before_load_done, read_before_wait,
        "{} is read, and nothing makes sure that the TMA load into it is complete",
        "each thread that reads the tile waits on its mbarrier first, or synchronizes with a "
        "thread that has waited"},
    Row{Says::read_before_copy_done, read_before_wait,
        "{} is read, and nothing makes sure that the asynchronous copy is complete",
        "the thread that issued the copy commits it and waits for it, then all threads "
        "synchronize, then the data is read"},
    Row{Says::write_during_load, write_during_load,
        "{} is written while a TMA load into it may be in flight",
        "write the tile when a wait on its mbarrier has returned, or before the load is issued and "
        "with async_proxy_fence() and a barrier in between"},
    Row{Says::write_during_copy, write_during_load,
        "{} is written while an asynchronous copy from or to it may be in flight",
        "wait for the copy first, and synchronize with the thread that issued it"},
    Row{Says::write_to_load_source, write_during_load,
        "{} is written while an asynchronous load may still be reading it",
        "wait for the load first; who writes must know that it is complete"},
    Row{Says::store_reads_loading_tile, store_of_loading_tile,
        "a TMA operation reads {} while a load into it is in flight",
        "the thread that issues the operation waits on the mbarrier of the load first"},
    Row{Says::store_source_overwritten, overwrite_before_read_done,
        "shared memory is overwritten while a TMA store may still be reading it",
        "before the tile is written again, the thread that issued the store waits with "
        "tma_store_wait_until_pending_read<N>(), and then all threads synchronize"},
    Row{Says::copy_source_overwritten, overwrite_before_read_done,
        "shared memory is overwritten while a copy to another CTA may still be reading it",
        "wait on the copy's mbarrier, and let the CTA that waits tell this one, before the tile is "
        "written again"},
    Row{Says::load_overwrites_store_source, overwrite_before_read_done,
        "a TMA load overwrites shared memory that a TMA store may still be reading",
        "the thread that issued the store commits it and waits with "
        "tma_store_wait_until_pending_read<N>() before the stage is loaded again"},
    Row{Says::load_over_unread_data, load_over_unread_data,
        "a load overwrites {} that another thread may still be reading",
        "the readers tell the loading thread that they are done, by an arrival on an mbarrier that "
        "it waits for or by a barrier, before the next load is issued"},
    Row{Says::overlapping_loads, overlapping_tma_writes,
        "two asynchronous operations in flight write the same bytes of {}",
        "wait for the first before the second is issued, or give each its own bytes"},
    Row{Says::overlapping_stores, overlapping_tma_writes,
        "two TMA stores in flight write the same bytes at {}",
        "each tile of the result is stored once; where it must be written twice, wait with "
        "tma_store_wait_until_pending<0>() in between"},
    Row{Says::overlapping_stores_of_ctas, overlapping_tma_writes,
        "TMA stores of two CTAs write the same bytes at {}, and nothing orders the two",
        "if each CTA should have its own tile, compare the coordinates, which count elements, and "
        "the strides of the tensor map; a wait would not help: nothing says which CTA comes first"},
    Row{Says::store_over_itself, overlapping_tma_writes,
        "a TMA store writes the same bytes at {} more than once: rows of its own box overlap",
        "compare the strides of the tensor map with the sizes: they are in bytes, and from one "
        "index of a dimension to the next there is room for all of the dimensions inside of it"},
    Row{Says::reductions_of_two_kinds, overlapping_tma_writes,
        "two reductions of different kinds are in flight, and both change {}",
        "let all that meet in the same bytes do the same, on elements of the same type, or wait "
        "for the one before the other is issued"},
    Row{Says::cta_ends_before_store_read, smem_released_early,
        "the CTA ends while a TMA store may still read its shared memory",
        "the thread that issued the store commits it and waits with "
        "tma_store_wait_until_pending_read<0>() before it returns"},
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
    Row{Says::access_outlives_cta, smem_released_early,
        "a thread of another CTA accesses shared memory of a CTA, and nothing keeps that CTA from "
        "ending before",
        "all threads of the cluster pass cluster_arrive() and cluster_wait() after the last "
        "access, and then return"},
    Row{Says::mbarrier_of_ended_cta, smem_released_early,
        "a thread uses an mbarrier of another CTA, and nothing keeps that CTA from ending before",
        "all threads of the cluster pass cluster_arrive() and cluster_wait() after the last "
        "arrival, and then return"},
    Row{Says::read_of_unawaited_store, store_not_awaited,
        "{} is read, and nothing makes sure that the TMA store to it is complete",
        "the thread that issued the store commits it and waits with "
        "tma_store_wait_until_pending<0>() "
        "(without .read: that waits for the source only), then synchronizes with who reads"},
    Row{Says::store_of_earlier_launch, store_not_awaited,
        "{} is used here, and a TMA store of an earlier kernel that may still be running writes it",
        help_on_launches},
    Row{Says::write_over_unawaited_store, store_not_awaited,
        "{} is written, and nothing makes sure that the TMA store to it is complete",
        "the thread that issued the store commits it and waits with "
        "tma_store_wait_until_pending<0>(), "
        "then synchronizes with who writes"},
    Row{Says::load_of_unawaited_store, store_not_awaited,
        "a TMA load reads {}, and nothing makes sure that the TMA store to it is complete",
        "the thread that issued the store commits it and waits with "
        "tma_store_wait_until_pending<0>(), "
        "then synchronizes with who issues the load"},
    Row{Says::wait_returned_for_past_phase, wait_wrong_parity,
        "this wait returned for a phase that was already over: the load completes a later one",
        "the parity that a thread waits for flips each time that it has waited for the mbarrier: 0 "
        "for the first phase, 1 for the second, 0 for the third"},
    Row{Says::wait_for_passed_parity, wait_wrong_parity,
        "this wait never returns: it has the parity of an earlier phase than the one that is over",
        "the parity that a thread waits for flips each time that it has waited for the mbarrier: 0 "
        "for the "
        "first phase, 1 for the second, 0 for the third"},
    Row{Says::phase_passed_waiting_thread, phase_overrun,
        "the mbarrier has gone two phases on while a thread was waiting for the first",
        "who starts the next phase must know that all who wait for this one have seen it: let them "
        "arrive on a second mbarrier"},
    Row{Says::more_bytes_announced, expect_too_many,
        "{} bytes were announced in this phase, and {} come: the phase never ends",
        "announce as many bytes as the loads of the phase bring; if the number is that of the "
        "tile, a load "
        "is missing, or the box of its tensor map is smaller than the tile"},
    Row{Says::no_bytes_announced, expect_too_few,
        "no bytes were announced in this phase, and {} come: a wait for it may return before they "
        "are there",
        "the thread that issues the load first calls expect_bytes_and_arrive() (or expect_bytes()) "
        "with the bytes of the load"},
    Row{Says::fewer_bytes_announced, expect_too_few,
        "{} bytes were announced in this phase, and {} come: a wait for it may return before they "
        "are there",
        "announce as many bytes as the loads of the phase bring; if the number is that of the "
        "tile, the "
        "box of the tensor map is larger than the tile, or a load of another phase is early"},
    Row{Says::announced_behind_arrivals, expect_too_few,
        "bytes are announced in a phase that may be over by then: no arrival comes behind the "
        "announcement, and a wait may return before the bytes are there",
        "the thread that announces the bytes arrives after it has done so: expect_bytes_and_arrive "
        "does both"},
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
    Row{Says::arrival_beyond_count, arrival_overflow,
        "the mbarrier counts {} arrivals a phase, and this one comes when all of them may be "
        "there: it counts in the next phase",
        help_on_arrivals},
    Row{Says::mbarrier_initialized_by_all, barrier_reinit,
        "several threads initialize the same mbarrier",
        "let one thread initialize it: `if (threadIdx.x == 0)`; it calls async_proxy_fence(), too, "
        "then all threads synchronize, and then the mbarrier is used"},
    Row{Says::mbarrier_initialized_twice, barrier_reinit,
        "an mbarrier is initialized that lives already",
        "one thread initializes an mbarrier once; before it may be initialized again, it is "
        "invalidated (mbarrier.inval) when nobody uses it any more"},
    Row{Says::mbarrier_invalidated_in_use, barrier_reinit,
        "an mbarrier is used, and nothing makes sure that it is not invalidated yet",
        "all threads that use it synchronize, and then one of them invalidates it"},
    Row{Says::mbarrier_used_after_invalidation, barrier_reinit,
        "an mbarrier is used after it was invalidated",
        "initialize it again first, and let all threads synchronize"},
    Row{Says::mbarrier_overwritten, barrier_reinit,
        "the 8 bytes of a living mbarrier are written as if they were data",
        "give the mbarrier bytes of its own, or invalidate it (mbarrier.inval) before they are "
        "used for something else"},
    Row{Says::mbarrier_uninitialized, missing_barrier_init_fence,
        "an mbarrier cannot take this operation: it is not initialized",
        help_on_uninitialized_mbarriers},
    Row{Says::mbarrier_used_before_initialization, missing_barrier_init_fence,
        "an mbarrier is used, and nothing makes sure that its initialization is visible to this "
        "thread",
        help_on_uninitialized_mbarriers},
    Row{Says::operation_before_initialization, missing_barrier_init_fence,
        "a TMA operation is to complete on an mbarrier, and nothing makes sure that its "
        "initialization is visible to the issuing thread",
        help_on_uninitialized_mbarriers},
    Row{Says::mbarrier_of_other_cta_unseen, missing_barrier_init_fence,
        "an mbarrier of another CTA is used, and nothing makes sure that it is initialized by now",
        help_on_remote_mbarriers},
    Row{Says::operation_on_unseen_mbarrier, missing_barrier_init_fence,
        "a TMA operation is to complete on an mbarrier of another CTA, and nothing makes sure that "
        "it is initialized by now",
        "the initializing thread calls fence_barrier_init(), then all threads of the cluster pass "
        "cluster_arrive() and cluster_wait(), then the operation is issued"},
    Row{Says::waited_for_uncommitted, wait_without_commit,
        "this wait does not wait for the TMA store: no group holds it",
        "the thread that issued the store calls tma_store_commit_group() after it and before it "
        "waits"},
    Row{Says::copies_not_committed, wait_without_commit,
        "this wait does not wait for the asynchronous copy: no group holds it",
        "the thread commits its copies (cp.async.commit_group, __pipeline_commit()) before it "
        "waits"},
    Row{Says::waited_for_by_another_thread, wait_without_commit,
        "this wait does not wait for the TMA store: another thread issued it, and bulk groups are "
        "each thread's own",
        "the thread that issued the store commits it and waits for it, and then all threads "
        "synchronize"},
    Row{Says::issued_twice, divergent_issue,
        "the same asynchronous operation is issued more than once",
        "let one thread issue it: `if (threadIdx.x == 0)`, or the one that elect.sync chooses"},
    Row{Says::issued_again, divergent_issue,
        "the thread issues the same asynchronous operation again, and the first may not be done",
        "issue it once; where it is meant to happen again, the thread waits for the first before"},
    Row{Says::barrier_in_divergent_code, divergent_barrier,
        "threads of one warp wait at a barrier in code that only some of them take, while the "
        "others are at another one",
        "move the barrier out of the branch: all threads that it counts reach it together"},
    Row{Says::barrier_of_two_groups, divergent_barrier,
        "two groups of threads use one named barrier, and nothing keeps them apart",
        "give each group a barrier number of its own"},
    Row{Says::barrier_arrived_at_twice, divergent_barrier,
        "a warp arrives at a named barrier again, and nothing tells it that its last arrival was "
        "waited for: the barrier may count both in one phase, in place of another warp's",
        "the warp arrives once a phase; before it arrives again, it waits for those that the "
        "barrier let go, at another barrier"},
    Row{Says::barrier_of_two_counts, divergent_barrier,
        "threads meet at one named barrier with different counts: {} and {}",
        "all that meet at a barrier give the same number of threads"},
    Row{Says::barrier_at_two_lines, divergent_barrier,
        "__syncthreads() stands in code that only some threads of the CTA take, and meets another "
        "one",
        "move it out of the branch, or use named barriers that count the threads that come"},
    Row{Says::cluster_wait_without_arrival, divergent_barrier,
        "a thread waits at the cluster's barrier, and has not arrived at it since it last waited",
        "each thread calls cluster_arrive() once for each cluster_wait()"},
    Row{Says::cluster_arrival_without_wait, divergent_barrier,
        "a thread arrives at the cluster's barrier again, and has not waited since it last arrived",
        "each thread calls cluster_wait() once for each cluster_arrive()"},
    Row{Says::lane_outside_of_mask, divergent_barrier,
        "a lane executes an instruction for the lanes of a member mask that does not name it: {}",
        "the mask names exactly the lanes that execute the instruction together"},
    Row{Says::lanes_never_come, divergent_barrier,
        "the member mask {} names lanes that never come to this instruction",
        "the mask names exactly the lanes that execute the instruction together; __activemask() is "
        "no "
        "substitute"},
    Row{Says::lanes_went_around, divergent_barrier,
        "the member mask {} names lane {}, which went past without executing this instruction",
        "let all lanes of the mask execute it, and decide behind it who uses the result; or let "
        "the "
        "mask name those alone who come"},
    Row{Says::absent_lane_read, divergent_barrier,
        "the value of lane {} is read, which takes no part: it has ended, or never was",
        "let all lanes of the warp live as long as values are exchanged, those without work with a "
        "neutral value"},
    Row{Says::shared_never_written, uninitialized_read, "{} is read that nobody has written",
        "write it first, and synchronize, or read only what was loaded"},
    Row{Says::global_never_written, uninitialized_read,
        "{} is read that nobody has written since it was allocated",
        "write it first: cudaMemset, a copy of all of its bytes, or another kernel"},
    Row{Says::load_of_fresh_memory, uninitialized_read,
        "a TMA load reads global memory that nobody has written since it was allocated",
        "write it first: cudaMemset, a copy of all of its bytes, or another kernel"},
    Row{Says::reduction_onto_fresh_memory, uninitialized_read,
        "a reduction adds to memory that nobody has written",
        "what is added to is to hold something first: zeros for sums (cudaMemset, or stores and a "
        "fence)"},
    Row{Says::store_source_never_written, uninitialized_read,
        "a TMA store reads shared memory that nobody has written",
        "write the tile first; each writing thread calls async_proxy_fence(), then all "
        "synchronize"},
    Row{Says::store_source_partly_written, uninitialized_read,
        "a TMA store reads {} bytes of shared memory that nobody has written, and writes them to "
        "global "
        "memory",
        "write the whole tile first, or store less of it"},
    Row{Says::access_outside_variable, out_of_bounds,
        "{} bytes are accessed outside of {}, which has {} bytes: the first is byte {}",
        "keep the index within the variable: what lies behind it belongs to another one"},
    Row{Says::operation_outside_variable, out_of_bounds,
        "a TMA operation takes {} bytes of {}, which has {} bytes, from byte {} on",
        "compare what it takes with the variable: the box of the tensor map, or the size of the "
        "bulk copy, is too large, or begins too late; what lies behind it belongs to another one"},
    Row{Says::race_of_read, data_race,
        "{} is read here and written by another thread, and nothing orders the two",
        "synchronize in between (__syncthreads(), __syncwarp(), an mbarrier), or publish with a "
        "release and read with an acquire of a scope that holds both threads"},
    Row{Says::race_of_read_by_ctas, data_race,
        "{} is read here and written by another CTA, and nothing orders the two",
        "if each CTA should have its own part, compare the index or the coordinates, and the "
        "strides of a tensor map; if one is to see what the other writes, let it release a flag "
        "and the other acquire it, both in the scope of the GPU, or launch two kernels"},
    Row{Says::race_of_writes, data_race, "{} is written by two threads, and nothing orders the two",
        "synchronize in between, or use an atomic of a scope that holds both threads"},
    Row{Says::race_of_writes_by_ctas, data_race,
        "{} is written by two CTAs, and nothing orders the two",
        "if each CTA should have its own part, compare the index or the coordinates, and the "
        "strides of a tensor map; if both are to write there, use an atomic of the GPU's scope"},
    Row{Says::tensor_map_changed_in_use, data_race,
        "a tensor map is changed while an operation of the TMA engine may still be reading it",
        "wait for the operations that use the map before it is changed: for loads on their "
        "mbarriers, for stores with tma_store_wait_until_pending_read<0>() after the commit"},
    Row{Says::read_only_load_of_written, data_race,
        "{} is read through the read-only cache, and this kernel writes it: the cache may keep "
        "what was there before, whatever barriers and fences lie between",
        "read it with a plain load: without __ldg(), and from a pointer that is not both const and "
        "__restrict__"},
    Row{Says::read_beside_earlier_launch, data_race,
        "{} is read here, and written by an earlier kernel that may still be running",
        help_on_launches},
    Row{Says::write_beside_earlier_launch, data_race,
        "{} is written here, and used by an earlier kernel that may still be running",
        help_on_launches},
    Row{Says::access_beside_copy, data_race,
        "{} is used here, and {} by a copy or a memset of the host that nothing orders with this "
        "kernel",
        "put both into one stream, let the later one's stream wait for an event behind the earlier "
        "one (cudaStreamWaitEvent), or let the host wait in between (cudaStreamSynchronize); the "
        "default stream does not wait for streams that are created with cudaStreamNonBlocking"},
    Row{Says::access_beside_allocation, data_race,
        "{} is used here, and nothing orders this kernel behind the cudaMallocAsync of these bytes",
        "launch the kernel in the stream of cudaMallocAsync, or let its stream wait for an event "
        "that was recorded behind the allocation (cudaStreamWaitEvent)"},
    Row{Says::access_beside_free, data_race,
        "{} is used here, and nothing orders this kernel before the cudaFreeAsync of these bytes",
        "free in the kernel's stream, or let the stream of cudaFreeAsync wait for an event that "
        "was recorded behind the kernel (cudaStreamWaitEvent)"},
    Row{Says::cta_not_known_to_run, cluster_not_ready,
        "shared memory of another CTA is accessed, and nothing makes sure that the CTA has started",
        "all threads of the cluster pass cluster_arrive() and cluster_wait() before the first "
        "access to another CTA"},
    Row{Says::load_on_uninitialized_mbarrier, missing_barrier_init_fence,
        "a TMA load completes on an mbarrier that cannot take it: it is not initialized",
        help_on_loads},
    Row{Says::load_beyond_tx_count, arrival_overflow,
        "a TMA load completes on an mbarrier that cannot take it: its tx-count would become {}, "
        "and the limit is {} bytes",
        help_on_loads},
    Row{Says::copy_on_uninitialized_mbarrier, missing_barrier_init_fence,
        "an asynchronous copy signals an mbarrier that cannot take it: it is not initialized",
        help_on_copies},
    Row{Says::copy_beyond_arrivals, arrival_overflow,
        "an asynchronous copy signals an mbarrier that cannot take it: the phase has {} of its {} "
        "arrivals left, and {}",
        help_on_copies},
    Row{Says::copy_beyond_tx_count, arrival_overflow,
        "an asynchronous copy signals an mbarrier that cannot take it: its tx-count would become "
        "{}, and the limit is {} bytes",
        help_on_copies},
    Row{Says::tensor_map_not_acquired, missing_tensor_map_fence,
        "the tensor map was changed by this kernel, and no fence of this CTA lets the TMA engine "
        "see it: it may use an old copy of the map",
        "each thread that issues copies calls tensor_map_fence_acquire(map) when it knows of the "
        "change and before its first copy"},
    Row{Says::tensor_map_not_released, missing_tensor_map_fence,
        "the tensor map was changed by this kernel, and nothing has released the change to the TMA "
        "engine: it may use an old copy of the map",
        "who changes the map calls tensor_map_fence_release() behind the change, before the others "
        "are told of it; then each thread that issues copies calls tensor_map_fence_acquire(map)"},
    Row{Says::tensor_map_acquired_early, missing_tensor_map_fence,
        "the tensor map was changed by this kernel, and nothing orders the change before the fence "
        "that acquires it: the TMA engine may use an old copy of the map",
        "synchronize between the change and tensor_map_fence_acquire(map): __syncthreads(), or a "
        "flag that is released and acquired"},
    Row{Says::tensor_map_fence_of_one_cta, missing_tensor_map_fence,
        "the tensor map was changed by another CTA, and the fence that released it or the one that "
        "acquired it has the scope of one CTA: the TMA engine may use an old copy of the map",
        "give the release and the acquire of the map the scope of the GPU, as "
        "tensor_map_fence_release() and tensor_map_fence_acquire(map) do"},
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
        "compare the index with the allocation: a guard such as `if (i < count)` is missing, or "
        "the pointer is the wrong one"},
    Row{Says::shared_access_outside, illegal_address,
        "{} of {} bytes at shared address {}, outside the {} bytes of shared memory that the CTA "
        "has",
        "compare the index with the array, and dynamic shared memory with what the launch asks "
        "for"},
    Row{Says::access_of_no_cta, illegal_instruction,
        "{} of {} bytes at shared address {}, in the CTA of rank {} of a cluster of {}: mapa makes "
        "such an address from a rank that does not exist",
        "give mapa a rank below %cluster_nctarank, which is the size that the kernel is launched "
        "with"},
    Row{Says::access_of_missing_cta, no_such_cta,
        "{} of {} bytes at shared address {}, in the CTA of rank {} of a cluster of {}: mapa makes "
        "such an address from a rank that does not exist",
        "give mapa a rank below %cluster_nctarank, which is the size that the kernel is launched "
        "with"},
    Row{Says::operand_of_no_cta, illegal_instruction,
        "{} is in the CTA of rank {} of a cluster of {}: mapa makes such an address from a rank "
        "that does not exist",
        "give mapa a rank below %cluster_nctarank, which is the size that the kernel is launched "
        "with"},
    Row{Says::operand_of_missing_cta, no_such_cta,
        "{} is in the CTA of rank {} of a cluster of {}: mapa makes such an address from a rank "
        "that does not exist",
        "give mapa a rank below %cluster_nctarank, which is the size that the kernel is launched "
        "with"},
    Row{Says::local_access_outside, illegal_address,
        "{} of {} bytes at local address {}, outside the thread's {} bytes of local memory", ""},
    Row{Says::parameter_access_outside, illegal_address,
        "{} of {} bytes at kernel parameter address {}: parameters are {} bytes and read-only", ""},
    Row{Says::shared_operand_outside, illegal_address,
        "{} at {} ({} bytes) is not in shared memory of this cluster; each CTA has {} bytes",
        "compare the bytes with their variable in shared memory or, where that is dynamic, with "
        "what the launch asks for"},
    Row{Says::box_beyond_shared, illegal_address,
        "the box of the tensor map has {}, {} bytes: from {} on, that is more than the CTA has "
        "left of its {} bytes of shared memory",
        "compare the box that the map is encoded with and the tile: as many elements in each "
        "dimension, of the same type; in dynamic shared memory, compare it with what the launch "
        "asks for"},
    Row{Says::bulk_copy_outside, illegal_address,
        "a bulk copy of {} global bytes leaves its allocation: its first byte is {}",
        "shorten the last copy, or copy the rest without TMA: a bulk copy has no bounds but its "
        "size"},
    Row{Says::box_outside, illegal_address,
        "the tensor map describes more memory than there is: the box touches {}",
        "give make_tensor_map() the sizes and strides that the allocation has"},
    Row{Says::tma_memory_freed, illegal_address,
        "a TMA operation is done when its global memory is none any more: {}", ""},
    Row{Says::async_copy_source_freed, illegal_address,
        "a cp.async reads its source when it is no memory any more: {}", ""},
    Row{Says::multicast_beyond_cluster, illegal_address,
        "a multicast mask names the CTA of rank {}, and the cluster has {} CTAs",
        "bit r of the mask stands for the CTA of rank r: set only those below the size of the "
        "cluster"},
    Row{Says::pair_beyond_cluster, illegal_address,
        "with .cta_group::2 the mbarrier of the CTA of rank {} is signaled, and the cluster has {} "
        "CTAs",
        "launch it in clusters of an even number of CTAs: ranks 0 and 1 are a pair, 2 and 3, and "
        "so on"},
    Row{Says::local_stack_too_large, illegal_address,
        "the thread's stack of local memory would grow to {} bytes, and a thread has at most {}",
        ""},
    Row{Says::free_of_no_allocation, illegal_address,
        "free() is given what malloc() did not return", ""},

    Row{Says::access_misaligned, misaligned_address,
        "{} of {} bytes at {} address {}, which is not a multiple of {}",
        "let the address be a multiple of the size of the access: align the variable with alignas, "
        "or access smaller pieces"},
    Row{Says::mbarrier_misaligned, misaligned_address,
        "an mbarrier at shared address {}, which is not a multiple of 8",
        "declare it as a uint64_t, or with alignas(8) at its place in dynamic shared memory"},
    Row{Says::operand_misaligned, misaligned_address, "{} is {}, which is not a multiple of {}",
        "alignas at the variable, whole multiples as offsets and coordinates, or another tile"},
    Row{Says::bulk_copy_between_units, misaligned_address,
        "a bulk copy begins at global address {}, {} bytes past a multiple of 16 and {} before the "
        "next",
        "begin the bulk copy at the next multiple of 16, and copy what is before it with plain "
        "loads and stores"},
    Row{Says::size_misaligned, misaligned_address, "{} is {} bytes, which is not a multiple of {}",
        "a size is in bytes (count * sizeof(T)), and a multiple of 16: copy the rest with plain "
        "loads and stores"},

    Row{Says::barrier_number, illegal_instruction,
        "barrier {} does not exist; a CTA has 16, 0 to 15", "number named barriers from 0 to 15"},
    Row{Says::barrier_thread_count, illegal_instruction,
        "a barrier counts {} threads, which is not a multiple of the warp size",
        "whole warps take part: a multiple of 32"},
    Row{Says::multicast_mask_empty, illegal_instruction, "a multicast mask names no CTA",
        "bit r of the mask stands for the CTA of rank r"},
    Row{Says::tensor_map_unusable, illegal_instruction,
        "a TMA instruction with an invalid tensor map",
        "encode the map on the host, check the result, and pass it as `const __grid_constant__ "
        "CUtensorMap`"},
    Row{Says::tensor_operation_of_other_map, illegal_instruction, "{rule}",
        "give the instruction the map that it is for: it has a coordinate for each dimension of "
        "the tensor, and the mode that the map was encoded for"},
    Row{Says::written_box_before_tensor, illegal_instruction, "{rule}",
        "a load may begin before the tensor, and gets the fill there; let the box of a store or a "
        "reduction begin at 0 or later, and write the tile at that edge with plain stores"},
    Row{Says::loaded_box_between_units, illegal_instruction, "{rule}",
        "round the coordinate down to such a multiple and take the element further inside the "
        "tile, with a box that is wide enough; or, if the coordinate counts tiles, multiply it by "
        "the tile's size"},
    Row{Says::written_box_between_units, illegal_instruction, "{rule}",
        "store only boxes that begin at such a multiple, and write the rest with plain stores; or, "
        "if the coordinate counts tiles, multiply it by the tile's size"},
    Row{Says::pixel_outside_bounding_box, illegal_instruction, "{rule}",
        "the coordinates are those of a pixel in the bounding box, which the corners of the map "
        "give: let them stay within, or encode the map with other corners"},
    Row{Says::written_bounding_box_beyond_image, illegal_instruction, "{rule}",
        "only loads may leave the image: encode a map of its own for stores and reductions"},
    Row{Says::im2col_offset_too_large, illegal_instruction, "{rule}",
        "the offsets are those within the filter; what is farther belongs to the coordinates"},
    Row{Says::tensor_reduction_of_no_type, illegal_instruction, "{rule}",
        "use a reduction that the data type of the map has: the type is the one that the map is "
        "encoded with"},
    Row{Says::replace_in_no_tensor_map, illegal_instruction,
        "tensormap.replace is given no tensor map: {rule}",
        "copy a map that the host has encoded to that place first"},
    Row{Says::replace_value, illegal_instruction,
        "tensormap.replace asks for {}, which there is not", ""},
    Row{Says::part_of_warp, illegal_instruction,
        "an instruction for whole warps is executed by some of the lanes only",
        "let all lanes of the warp execute it, and decide behind it who uses the result"},
    Row{Says::branch_index, illegal_instruction,
        "brx.idx has the index {}, and its list has {} targets", ""},
    Row{Says::async_store_without_cluster, illegal_instruction,
        "{} in a kernel that is not launched with a cluster, which it needs also where the shared "
        "memory is the thread's own",
        "give the kernel __cluster_dims__"},
    Row{Says::indirect_call_nowhere, illegal_instruction,
        "an indirect call goes to address {}, where no function of this module is", ""},

    Row{Says::mbarrier_apart_from_tile, barrier_of_another_cta,
        "the tile lies in the CTA of rank {} and the mbarrier in that of rank {}: only with "
        ".cta_group::2 may it lie in another CTA than the tile",
        ""},
    Row{Says::mbarrier_apart_from_pair, barrier_of_another_cta,
        "the tile lies in the CTA of rank {} and the mbarrier in that of rank {}, which is not its "
        "peer: a pair has ranks that differ in the last bit",
        ""},
    Row{Says::async_store_mbarrier_apart, barrier_of_another_cta,
        "an asynchronous store and its mbarrier are in different CTAs", ""},
    Row{Says::operation_completes_elsewhere, barrier_of_another_cta,
        "the operation writes to the CTA of rank {} and completes on an mbarrier of the CTA of "
        "rank {}",
        "give it the mbarrier of the CTA that it writes to: mapa() makes both addresses"},

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
    NoteEntry{NoteSentence::written_by, "it was written here by {thread}"},
    NoteEntry{NoteSentence::written_by_earlier_launch,
              "the earlier kernel writes it here, by {thread}"},
    NoteEntry{NoteSentence::read_by_earlier_launch,
              "the earlier kernel reads it here, by {thread}"},
    NoteEntry{NoteSentence::read_here, "{bytes} was read here by {thread}"},
    NoteEntry{NoteSentence::load_issued_here, "the load was issued here by {thread}"},
    NoteEntry{NoteSentence::copy_issued_here, "the copy was issued here by {thread}"},
    NoteEntry{NoteSentence::store_issued_here, "the store was issued here by {thread}"},
    NoteEntry{NoteSentence::also_issued_here, "the other one was issued here by {thread}"},
    NoteEntry{NoteSentence::announced_here, "announced here by {thread}"},
    NoteEntry{NoteSentence::initialized_here, "initialized here by {thread}"},
    NoteEntry{NoteSentence::invalidated_here, "invalidated here by {thread}"},
    NoteEntry{NoteSentence::also_arrived_here, "{thread} arrives here"},
    NoteEntry{NoteSentence::count_given_here,
              "{bytes} gets its count of arrivals here, by {thread}"},
    NoteEntry{NoteSentence::arrives_here, "{thread} arrives here, in the phase that does not end"},
    NoteEntry{NoteSentence::ends_wait_here,
              "{thread} arrives here, which ends the wait in front of that"},
    NoteEntry{NoteSentence::ends_next_phase_here, "{thread} arrives here, which ends the second"},
    NoteEntry{NoteSentence::map_changed_here, "the map was changed here"},
    NoteEntry{NoteSentence::in_this_function, "in this function of the interface"},
    NoteEntry{NoteSentence::called_here, "called from here"},
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
static_assert(notes.size() == static_cast<std::size_t>(NoteSentence::called_here) + 1);

}  // namespace

unsigned telling_rank_of(FindingCode code) {
  // An index too large writes over a neighbor, a barrier that some skip orders nothing, and who
  // waits for too little reads too soon. What collides then is told behind that.
  constexpr std::array first{
      out_of_bounds,         divergent_barrier,        barrier_reinit,   wait_wrong_parity,
      load_over_unread_data, expect_too_few,           expect_too_many,  wait_without_commit,
      read_before_wait,      unsynchronized_tma_store, write_during_load};
  constexpr std::array last{overlapping_tma_writes, data_race, arrival_overflow};
  if (std::ranges::find(last, code) != last.end()) return first.size() + 1;
  return static_cast<unsigned>(std::ranges::find(first, code) - first.begin());
}

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
