// A finding with everything in it that a reader sees: places and names are looked up, lines are
// quoted, the sentence has its values. Its text (styled_text.h) and its JSON (json_line.h) are made
// from this, and from nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/findings/bytes_use.h"
#include "contract/findings/finding_codes.h"
#include "contract/findings/waited_for.h"

namespace tmaemu {

// In the source; or where there is no line information, in the PTX of a function.
struct SourcePlace {
  std::string name;  // of the file, without its folder; of the function
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool is_ptx = false;
  bool operator==(const SourcePlace&) const = default;
};

// "lab3.cu:41:5", "add_one (PTX line 31)".
std::string text_of(const SourcePlace& place);

// A line of source, or of PTX.
struct Excerpt {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // the first is 1
  std::string text;
  bool operator==(const Excerpt&) const = default;
};

// A thread by CUDA's indices.
struct ThreadIndices {
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
  bool operator==(const ThreadIndices&) const = default;
};

// "block (0,0,0), thread (32,0,0)".
std::string text_of(const ThreadIndices& thread);

// Bytes of a variable in shared memory.
struct NamedBytes {
  std::string of;  // the variable, or "shared memory"
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  BytesUse use = BytesUse::reads;  // by the thread
  bool operator==(const NamedBytes&) const = default;
};

// "tile[bytes 0 to 4095]".
std::string text_of(const NamedBytes& bytes);

// "reads", "writes", "loads into".
std::string_view text_of(BytesUse use);

struct Diagnostic {
  struct Note {
    std::string message;
    SourcePlace place;
    std::optional<Excerpt> excerpt;
    bool operator==(const Note&) const = default;
  };

  struct Waiters {
    SourcePlace place;
    std::uint64_t threads = 0;
    ThreadIndices first;
    WaitedFor waited_for;
    std::string mbarrier;  // its name, where that is what they wait for
    bool operator==(const Waiters&) const = default;
  };

  FindingCode code;
  std::string message;
  // These three are missing where nothing but the number of findings is known.
  std::optional<SourcePlace> place = {};
  std::optional<Excerpt> excerpt = {};
  std::optional<ThreadIndices> thread = {};
  std::optional<NamedBytes> bytes = {};
  std::vector<Note> notes = {};
  std::vector<Waiters> waiters = {};
  std::uint64_t waiters_left_out = 0;  // places, where there are too many
  std::string rule = {};
  std::string help = {};

  bool operator==(const Diagnostic&) const = default;
};

// "256 threads, the first block (0,0,0), thread (0,0,0), waiting for the cluster barrier".
std::string text_of(const Diagnostic::Waiters& waiters);

}  // namespace tmaemu
