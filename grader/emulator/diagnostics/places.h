// Where things are in the student's terms: lines of the source, threads by their indices, shared
// memory by its variables.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "contract/rendering/diagnostic.h"
#include "emulator/diagnostics/source_files.h"
#include "emulator/memory/global_memory.h"
#include "emulator/model/finding.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"

namespace tmaemu {

// A line of the student's that an instruction is part of, its text if it may be read, and what is
// said of it.
struct Call {
  NoteSentence sentence;
  SourcePlace place;
  std::optional<Excerpt> excerpt;
};

// A function in a header, and what is said of it.
struct Wrapper {
  NoteSentence sentence;
  SourcePlace place;
};

class Places {
 public:
  Places(const Program& program, const LaunchRequest& request);

  // The places of another launch, which notes may speak of.
  void add(std::uint64_t launch, const Places& places) { others_.emplace(launch, &places); }
  const Places& of(const Note& note) const {
    const auto other = others_.find(note.launch);
    return other == others_.end() ? *this : *other->second;
  }

  // Where the student's own source calls what the instruction is part of; where there is no line
  // information, its PTX line.
  SourcePlace place(std::uint32_t site) const;
  // The line of that place; the PTX line where the source must not or cannot be read.
  Excerpt excerpt(std::uint32_t site, const SourceFiles& files) const;
  // The wrapper in a header that the instruction stands in; nothing where place() is the innermost.
  std::optional<Wrapper> wrapper(std::uint32_t site) const;

  // Where the student's own function that place() is in is called, if it was inlined, where the
  // function is called that calls it, and so on. Where the compiler does not say which of several
  // calls it was (ptx/inline_chains.h), the others, too.
  std::vector<Call> calls(std::uint32_t site, const SourceFiles& files) const;
  // The other lines that may be meant with place().
  std::vector<Call> alternatives(std::uint32_t site, const SourceFiles& files) const;

  // Instructions with one key are reported as one: they are of one line. Unrolled loops have
  // several.
  struct Line {
    std::int64_t file = 0;  // -1: a line of PTX
    std::uint32_t number = 0;
    auto operator<=>(const Line&) const = default;
  };
  Line line(std::uint32_t site) const;
  // That line and those of the calls that lead to it; of each way where there may be several.
  std::vector<Line> lines(std::uint32_t site) const;
  // Whether two instructions come from one place of the source, through the same calls of inlined
  // functions: copies that the compiler made, of a loop's body for example. Nothing else is told
  // apart where the compiler names the beginning of a line for all that stands on it.
  bool are_copies(std::uint32_t site, std::uint32_t other) const;

  // Whether the instruction is part of a function in the header whose path ends so, inlined or not.
  bool stands_in(std::uint32_t site, std::string_view header) const;
  // Whether a thread that is at one of the two instructions may come to the other one, or to its
  // line.
  bool is_on_one_way(std::uint32_t site, std::uint32_t other) const;
  bool are_of_one_cluster(const Dimensions& cta, const Dimensions& other) const;
  // Whether the program is made with the functions of labs/common/tma-interface.cuh, as far as its
  // line information says where its instructions come from.
  bool uses_course_header() const;
  // Whether the kernel's name, mangled, has this in it.
  bool is_of_kernel(std::string_view name) const;

  ThreadIndices thread(const Dimensions& cta, ThreadId thread) const;
  // Bytes of a shared variable, or of shared memory where none is known.
  NamedBytes bytes(const SharedBytes& bytes) const;
  // "global address 0x58... (src[byte 16])": with the array's name where whoever called the program
  // has said it, else with the kernel's argument that points to it.
  std::string global(const GlobalMemory& memory, std::uint64_t address) const;
  // "full + 8 bytes": the place of an object in shared memory.
  std::string object(std::uint32_t offset) const;

 private:
  bool comes_by(std::uint32_t from, std::uint32_t to) const;
  bool is_in(ptx::SourceLocation place, std::string_view header) const;
  // The lines of the student's own that the instruction is part of, from place() outwards.
  using Chain = std::vector<ptx::SourceLocation>;
  Chain chain_of(const ptx::SourceLocation& innermost) const;
  // The likeliest, and the others that may be meant.
  std::vector<Chain> chains(std::uint32_t site) const;
  std::optional<Excerpt> excerpt(const ptx::SourceLocation& place, const SourceFiles& files) const;
  // The location in the student's own source; null where the instruction has none.
  const ptx::SourceLocation* students_place(std::uint32_t site) const;
  const ptx::SourceLocation* students_place(const ptx::SourceLocation& innermost) const;
  // The variable that holds the byte at `offset`; null where none is known.
  const SharedVariable* shared_variable(std::uint32_t offset) const;
  SourcePlace named(const ptx::SourceLocation& place) const;

  // Whose a line is. A program may have its kernels in headers of its own.
  enum class Owner : std::uint8_t { library, header, source };
  static Owner owner_of(std::string_view file);
  Owner owner_of(const ptx::SourceLocation* place) const {
    return owners_[static_cast<std::size_t>(place->file)];
  }

  const Program& program_;
  const LaunchRequest& request_;
  std::vector<Owner> owners_;  // by file: the checker asks for the line of every conflict
  std::map<std::uint64_t, const Places*> others_;  // by launch
};

}  // namespace tmaemu
