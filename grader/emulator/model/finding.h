// A mistake that the emulator has seen, as data. Who sees one names a sentence of the registry and
// adds what this one is about; places, names and words are looked up where it is told.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/findings/bytes_use.h"
#include "contract/findings/finding_codes.h"
#include "contract/findings/waited_for.h"
#include "emulator/model/ids.h"

namespace tmaemu {

// What stands for a {} of a sentence.
struct Value {
  Value(std::integral auto number) : text(std::to_string(number)) {}
  Value(std::string words) : text(std::move(words)) {}
  Value(std::string_view words) : text(words) {}
  Value(const char* words) : text(words) {}
  std::string text;
};
using Values = std::vector<Value>;

// Bytes of shared memory, by the offset in their CTA's.
struct SharedBytes {
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

// Another place that has to do with a finding.
struct Note {
  NoteSentence sentence;
  std::uint32_t site = 0;
  Dimensions cta = {0, 0, 0};
  ThreadId thread = {};
  SharedBytes bytes = {};
  std::uint64_t launch = 0;  // whose instruction it is, in the program's order; 0: of this one
  std::size_t pairs = 0;     // of lines, where it is about some
};

// The places of a finding that is not told by itself: what another one lacks is what it lacks.
struct Explained {
  Sentence sentence;
  std::uint32_t site = 0;
  std::uint32_t other = 0;  // of its first note
};

// Threads that wait at one place for one thing.
struct Waiters {
  std::uint32_t site = 0;
  Dimensions cta;  // of the first of them
  ThreadId first;
  std::uint64_t threads = 0;
  WaitedFor waited_for;
  std::size_t number = 0;    // in the order in which they were seen
  bool is_hopeless = false;  // too few threads live, whatever they do
};

struct Finding {
  Sentence sentence;
  Values values = {};
  std::uint32_t site = 0;
  Dimensions cta = {0, 0, 0};  // ctaid of the thread that did it
  ThreadId thread = {};
  std::optional<SharedBytes> bytes = {};
  BytesUse use = BytesUse::reads;
  std::vector<Note> notes = {};
  std::vector<Explained> explains = {};
  std::vector<Waiters> waiters = {};  // a deadlock's
  std::string rule = {};              // the rule of a tensor map or an operation that was broken

  const CodeEntry& code() const { return entry_of(entry_of(sentence).code); }
};

// The kernel cannot go on. Thrown where that is seen, caught by the launch.
struct KernelFault {
  Finding finding;
};

}  // namespace tmaemu
