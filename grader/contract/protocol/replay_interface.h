// The doors through which the grader's runner shows a program another device, has it recorded, and
// repeats what was recorded. It finds them by their names (dlsym); CUDA's own libraries have none
// of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/protocol/launched.h"
#include "contract/protocol/measures.h"

extern "C" {

// From now on the device says this of itself (a cudaDeviceAttr), until all is reset: what a program
// makes of a device that is not the H200. Kernels run as ever.
void tmaemu_set_attribute(int attribute, int value);
void tmaemu_reset_attributes();

// From now on what the program asks of the device between begin and end is one call in the file's
// recording.
void tmaemu_record(int file);
void tmaemu_record_begin();
void tmaemu_record_end();
// From now on the process does nothing of what it records, also where the program reads device
// memory: it is asked only what it asks for.
void tmaemu_record_only();

// The part of another process's memory, mapped at `memory`, that the program is given: what it does
// there counts as its work, and an access of the rest is one outside of every allocation. A size
// that reaches beyond the memory is ignored. `holds_input`: it has something that the program may
// need. `name` is what findings call it; it may be empty.
void tmaemu_describe_array(void* memory, std::uint64_t offset, std::uint64_t size, int holds_input,
                           const char* name);

// Zeros for another process to map by the handle (a cudaIpcMemHandle_t): arrays of which only the
// addresses matter, so their size costs nothing. Returns 0, or 1 with the reason in `text`.
int tmaemu_share_zeros(std::uint64_t size, void* handle, char* text, std::size_t text_bytes);
// Whoever has mapped them keeps them.
void tmaemu_drop_zeros();

// Prepares the repetition of a recording of a program whose library lies at `path`, of which only
// the device code is read. Returns 0, or 1 with the reason in `text`.
int tmaemu_replay_open(const char* path, int recording, char* text, std::size_t text_bytes);
// Maps `size` bytes of a file as device memory, as cudaIpcOpenMemHandle maps another process's;
// with a `period`, those of so many bytes, again and again. Returns a cudaError_t.
int tmaemu_replay_map(int file, std::uint64_t offset, std::uint64_t size, std::uint64_t period,
                      void** pointer);

enum {
  tmaemu_replayed = 0,      // `error` says how the kernels ended, `text` may have a remark
  tmaemu_not_followed = 1,  // `text` says why
  tmaemu_stale = 2,         // to be recorded again, by a fresh process
  tmaemu_out_of_time = 3,   // `text` says where a kernel still ran
};
// From here on findings go to this file, as lines of JSON, and not to standard error. They quote
// files of the folder `sources` alone. Called again it begins anew: what it takes is bounded.
void tmaemu_send_findings(int file, const char* sources);
// How many findings there were so far, those included that were one too many to send.
std::uint64_t tmaemu_findings();

// How much of the work of the call repeated last was done which way.
void tmaemu_measured(tmaemu::Measured* result);

// Bytes of device memory that the program has allocated and not freed.
std::uint64_t tmaemu_memory_in_use();

// What the call repeated or noted last launched.
void tmaemu_launched(tmaemu::LaunchedSet* result);

// How long the kernels of the calls repeated from now on may run together, in time of a processor.
void tmaemu_replay_limit(std::uint64_t milliseconds);
// Whether the calls repeated from now on are also measured by where the values come from that they
// write. Without it those measures are 0.
void tmaemu_replay_follow(int follows_values);
// Of which products wgmma turns signs, in the calls repeated from now on: a TurnedSigns.
void tmaemu_replay_turn_signs(int products, unsigned key);

// Repeats the next call of the recording.
int tmaemu_replay_call(int* error, char* text, std::size_t text_bytes);
// Notes what the next call of the recording launches, and does nothing of it. No call may be
// repeated after it. Returns what tmaemu_replay_call returns.
int tmaemu_replay_note(char* text, std::size_t text_bytes);

}  // extern "C"
