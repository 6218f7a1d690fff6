// What to write instead, where several sentences say the same.
#pragma once

#include <string_view>

namespace tmaemu {

inline constexpr std::string_view help_on_unordered_stores =
    "each writing thread calls async_proxy_fence(), then all of them synchronize with the thread "
    "that issues the store ({barrier}), and then it issues it";
// In front of the help of a deadlock, where other findings are told before it.
inline constexpr std::string_view help_behind_others =
    "begin with what is told before this: who waits too little, or for something else, leaves "
    "others "
    "waiting. Where it still hangs then: ";
// Of a line that several threads execute, there is nothing in between.
inline constexpr std::string_view help_on_one_line_of_writes =
    "use an atomic of a scope that holds both threads; or, where each thread was to have its own "
    "place, or one thread to write there, compare the index and who comes here";
inline constexpr std::string_view help_on_uninitialized_mbarriers =
    "one thread calls init_barrier() and async_proxy_fence(), then all threads synchronize, "
    "then the mbarrier is used";
inline constexpr std::string_view help_on_remote_mbarriers =
    "the initializing thread calls fence_barrier_init(), then all threads of the cluster pass "
    "cluster_arrive() and cluster_wait(), then the mbarrier is used";
inline constexpr std::string_view help_on_arrivals =
    "the counts of all arrivals of a phase add up to the count that init_barrier() was given, and "
    "a "
    "thread arrives for the next phase when it knows that this one is over";
inline constexpr std::string_view help_on_announcements_there =
    "bytes are announced where they land: in each CTA that the copy writes to, a thread calls "
    "expect_bytes_and_arrive() at its own CTA's mbarrier, with the bytes that come there; where "
    "that is so, a copy of another phase is early: its thread waits on an mbarrier at which the "
    "readers of all these CTAs arrive, with wait_cluster(), before it issues the copy";
inline constexpr std::string_view help_on_launches =
    "launch both into one stream, or let the second one's stream wait for an event behind the "
    "first (cudaStreamWaitEvent); a kernel that is launched to start early calls "
    "cudaGridDependencySynchronize() (griddepcontrol.wait) before it touches what the earlier "
    "one does";
inline constexpr std::string_view help_on_launches_in_between =
    "let the kernel in between call cudaGridDependencySynchronize() (griddepcontrol.wait), too: "
    "that waits for the launch before and what this one has waited for, and a kernel that starts "
    "early and does not wait may be over before those ahead of it";
inline constexpr std::string_view help_on_host =
    "let the host wait in between: cudaStreamSynchronize() for the stream of the work, "
    "cudaEventSynchronize() for an event behind it, or cudaDeviceSynchronize(); a launch and a "
    "cudaMemcpyAsync return before their work is done";
inline constexpr std::string_view help_on_loads =
    "initialize the mbarrier before the load is issued, and let it live until the load is "
    "waited for";
inline constexpr std::string_view help_on_copies =
    "initialize the mbarrier before the copy is issued, and let it live until the copy is "
    "waited for";
inline constexpr std::string_view help_on_place_of_mbarriers =
    "give it the mbarrier of the CTA that it writes to: mapa() makes both addresses";
inline constexpr std::string_view help_on_tensor_maps =
    "declare the kernel's parameter `const __grid_constant__ CUtensorMap`, so that its address "
    "is that of the parameter and not of a copy";
inline constexpr std::string_view help_on_steps =
    "a step along K is 32 bytes of each line. With swizzle add 32 to the start of the tile in "
    "bytes, which is 2 in the descriptor, since that counts units of 16; without swizzle twice the "
    "leading dimension byte offset. Where lines are neighbors in memory (transposed), a step is 16 "
    "rows";
inline constexpr std::string_view help_on_allocations =
    "compare the index with the allocation: a guard such as `if (i < count)` is missing, "
    "or the pointer is the wrong one";
inline constexpr std::string_view help_on_bulk_copies =
    "shorten the last copy, or copy the rest without TMA: a bulk copy has no bounds but its size";
inline constexpr std::string_view help_on_map_sizes =
    "give make_tensor_map() the sizes and strides that the allocation has; a map keeps the address "
    "that it was made with: where that memory was freed, make one of the new memory";
inline constexpr std::string_view help_on_shared_arrays =
    "compare the index with the array, and dynamic shared memory with what the launch asks for";
inline constexpr std::string_view help_on_shared_operands =
    "compare the bytes with their variable in shared memory or, where that is dynamic, with what "
    "the launch asks for";
inline constexpr std::string_view help_on_boxes =
    "compare the box that the map is encoded with and the tile: as many elements in each "
    "dimension, of the same type; in dynamic shared memory, compare it with what the launch asks "
    "for";
inline constexpr std::string_view help_on_what_is_not_modeled =
    "the emulator stops rather than guess; run this program on an sm_90 GPU";

}  // namespace tmaemu
