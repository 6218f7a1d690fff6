// A finding with everything in it that a reader sees: places and names are looked up, lines are
// quoted, the sentence has its values. The terminal's text and the line of JSON are made from this,
// and from nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/model/finding.h"

namespace tmaemu {

// In the source; or where there is no line information, in the PTX of a function.
struct ToldPlace {
  std::string name;  // of the file, without its folder; of the function
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool is_ptx = false;
};

// "lab3.cu:41:5", "add_one (PTX line 31)".
std::string text_of(const ToldPlace& place);

// A line of source, or of PTX.
struct ToldExcerpt {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // the first is 1
  std::string text;
};

struct ToldThread {
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
};

// "block (0,0,0), thread (32,0,0)".
std::string text_of(const ToldThread& thread);

struct ToldBytes {
  std::string of;  // a variable, or "shared memory"
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

// "tile[bytes 0 to 4095]".
std::string text_of(const ToldBytes& bytes);

struct ToldNote {
  std::string message;
  ToldPlace place;
  std::optional<ToldExcerpt> excerpt;
};

struct ToldWaiters {
  ToldPlace place;
  std::uint64_t threads = 0;
  ToldThread first;
  WaitedFor waited_for;
  std::string mbarrier;  // its name, where that is what they wait for
};

// "256 threads, the first block (0,0,0), thread (0,0,0), waiting for the cluster barrier".
std::string text_of(const ToldWaiters& waiters);

// "reads", "writes", "loads into".
std::string_view text_of(BytesUse use);

struct ToldFinding {
  FindingCode code;
  std::string message;
  ToldPlace place;
  ToldExcerpt excerpt;
  ToldThread thread;
  std::optional<ToldBytes> bytes;
  BytesUse use = BytesUse::reads;
  std::vector<ToldNote> notes;
  std::vector<ToldWaiters> waiters;
  std::uint64_t waiters_left_out = 0;  // places, where there are too many
  std::string rule;
  std::string help;
};

// What stands behind the caret: the thread, and what it does to which bytes.
std::string remark_of(const ToldFinding& finding);

}  // namespace tmaemu
