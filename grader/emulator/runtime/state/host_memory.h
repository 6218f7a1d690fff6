// What the host program does with memory that it shares with the device while work may still use
// it: pinned and managed memory. Work runs when it is submitted, so nothing goes wrong here; on a
// GPU it would. All of this with the device locked.
#pragma once

#include "emulator/model/stream_order.h"

namespace tmaemu::runtime {

// Judges what the host has done since the last call, when it knew so much to be over.
void judge_host(const StreamClock& host_knows);
// Closes to the host what it must not touch from now on, knowing so much.
void watch_host(const StreamClock& host_knows);
// What the emulator sees as the program does must be open while work runs.
void let_work_begin();
// Closes nothing: what comes next may touch all.
void let_host_be();

}  // namespace tmaemu::runtime
