#include "emulator/diagnostics/places.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/diagnostics/clean_text.h"
#include "emulator/diagnostics/kernel_name.h"
#include "emulator/program/decoder.h"
#include "emulator/program/flow.h"

namespace tmaemu {
namespace {

constexpr std::size_t longest_name = 100;
constexpr std::size_t longest_excerpt = 200;

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// libcu++'s headers have names without an ending.
bool is_header(std::string_view file) {
  constexpr std::string_view endings[] = {".cuh", ".h", ".hpp", ".hxx", ".hh", ".inl"};
  return std::ranges::any_of(endings, [&](auto ending) { return file.ends_with(ending); }) ||
         file.find("/cuda/std/") != std::string_view::npos ||
         base_name(file).find('.') == std::string_view::npos;
}

// Folders of the libraries that kernels include, as toolkits and checkouts have them.
bool is_of_library(std::string_view file) {
  constexpr std::string_view folders[] = {
      "/targets/x86_64-linux/include/",
      "/targets/sbsa-linux/include/",  // of aarch64
      "/cccl/",
      "/cub/",
      "/thrust/",
      "/libcudacxx/include/",
      "/cooperative_groups/",
      "/include/cutlass/",
      "/include/cute/",
      "/include/cuda_",  // cuda_bf16.hpp, wherever the toolkit is
  };
  return std::ranges::any_of(
      folders, [&](auto folder) { return file.find(folder) != std::string_view::npos; });
}

// The headers that the course hands out, and another course's under the same name.
bool is_of_interface(std::string_view file) {
  // A page's program has paths that begin below the folder of the headers.
  const std::string path = "/" + std::string(file);
  constexpr std::string_view endings[] = {"-interface.cuh", "/async-copy.cuh", "/tensor-map.cuh"};
  const std::string_view folder(path.data(), path.size() - base_name(path).size());
  return folder.ends_with("/tma/") || folder.ends_with("/wgmma/") ||
         std::ranges::any_of(endings, [&](auto ending) { return path.ends_with(ending); });
}

bool is_known(const ptx::SourceLocation* place) {
  return place->line != 0 && place->file >= 0;
}

// Where the code that stands at the place was inlined; null where it was not, or nobody knows.
const ptx::SourceLocation* caller_of(const ptx::SourceLocation* place, const ptx::Module& module) {
  if (place->inlined_at < 0) return nullptr;
  place = &module.inline_sites[static_cast<std::size_t>(place->inlined_at)].call;
  return is_known(place) ? place : nullptr;
}

// Whether the two are one place, reached through the same calls.
bool are_inlined_alike(const ptx::SourceLocation& place, const ptx::SourceLocation& other,
                       const ptx::Module& module) {
  const ptx::SourceLocation* a = &place;
  const ptx::SourceLocation* b = &other;
  const auto is_one_place = [&] {
    return a->file == b->file && a->line == b->line && a->column == b->column;
  };
  while (is_one_place() && a->inlined_at >= 0 && b->inlined_at >= 0) {
    if (a->inlined_at == b->inlined_at) return true;
    a = &module.inline_sites[static_cast<std::size_t>(a->inlined_at)].call;
    b = &module.inline_sites[static_cast<std::size_t>(b->inlined_at)].call;
  }
  return is_one_place() && a->inlined_at < 0 && b->inlined_at < 0;
}

// The first place of the second chain that is on another line than that of the first.
std::size_t first_other_line(const std::vector<ptx::SourceLocation>& chain,
                             const std::vector<ptx::SourceLocation>& other) {
  std::size_t i = 0;
  while (i < chain.size() && i < other.size() && chain[i].file == other[i].file &&
         chain[i].line == other[i].line) {
    ++i;
  }
  return i;
}

}  // namespace

Places::Places(const Program& program, const LaunchRequest& request)
    : program_(program), request_(request) {
  if (program.module == nullptr) return;  // nothing has a place
  for (const std::string& file : program.module->files) owners_.push_back(owner_of(file));
}

Places::Owner Places::owner_of(std::string_view file) {
  if (!is_header(file)) return Owner::source;
  return is_of_library(file) ? Owner::library : Owner::header;
}

// Wrappers in headers are inlined into the student's own source, and named after it. Where the
// kernel stands in a header, too, what libraries have inlined is named after that.
const ptx::SourceLocation* Places::students_place(std::uint32_t site) const {
  return site < program_.sites.size() ? students_place(program_.sites[site]->source) : nullptr;
}

const ptx::SourceLocation* Places::students_place(const ptx::SourceLocation& innermost) const {
  const ptx::Module& module = *program_.module;
  const ptx::SourceLocation* nearest = &innermost;
  if (!is_known(nearest)) return nullptr;
  for (const auto* place = nearest; place != nullptr; place = caller_of(place, module)) {
    if (owner_of(place) > owner_of(nearest)) nearest = place;
  }
  return nearest;
}

Places::Chain Places::chain_of(const ptx::SourceLocation& innermost) const {
  const ptx::SourceLocation* place = students_place(innermost);
  if (place == nullptr) return {};
  Chain chain{*place};
  const Owner owner = owner_of(place);
  if (owner == Owner::library) return chain;
  while ((place = caller_of(place, *program_.module)) != nullptr) {
    if (owner_of(place) == owner) chain.push_back(*place);
  }
  return chain;
}

std::vector<Places::Chain> Places::chains(std::uint32_t site) const {
  if (site >= program_.sites.size()) return {};
  ptx::SourceLocation source = program_.sites[site]->source;
  std::vector<Chain> chains{chain_of(source)};
  if (chains.front().empty()) return {};
  if (source.inlined_at < 0) return chains;
  const auto& inlined_at =
      program_.module->inline_sites[static_cast<std::size_t>(source.inlined_at)];
  for (const std::int32_t other : inlined_at.alternatives) {
    source.inlined_at = other;
    chains.push_back(chain_of(source));
  }
  return chains;
}

SourcePlace Places::named(const ptx::SourceLocation& place) const {
  const std::string& file = program_.module->files[static_cast<std::size_t>(place.file)];
  return {clean_text(base_name(file), longest_name), place.line, place.column};
}

SourcePlace Places::place(std::uint32_t site) const {
  if (const ptx::SourceLocation* place = students_place(site)) return named(*place);
  const int line =
      site < program_.sites.size() ? program_.sites[site]->line : program_.function->line;
  return {clean_text(kernel_name(program_.function->name), longest_name),
          static_cast<std::uint32_t>(line), 0, true};
}

std::optional<Excerpt> Places::excerpt(const ptx::SourceLocation& place,
                                       const SourceFiles& files) const {
  const std::string& file = program_.module->files[static_cast<std::size_t>(place.file)];
  const auto line = files.line(file, place.line);
  if (!line) return std::nullopt;
  return Excerpt{place.line, std::max<std::uint32_t>(place.column, 1),
                 clean_text(*line, longest_excerpt)};
}

std::vector<Call> Places::calls(std::uint32_t site, const SourceFiles& files) const {
  std::vector<Call> calls;
  const std::vector<Chain> several = chains(site);
  if (several.empty()) return calls;
  const Chain& likeliest = several.front();
  const auto tell = [&](NoteSentence said, const ptx::SourceLocation& place) {
    calls.push_back({said, named(place), excerpt(place, files)});
  };
  for (std::size_t i = 1; i < likeliest.size(); ++i) {
    tell(NoteSentence::called_here, likeliest[i]);
  }
  for (const Chain& other : several) {
    const std::size_t apart = first_other_line(likeliest, other);
    if (apart == 0 || apart == other.size()) continue;
    const bool is_told = std::ranges::any_of(
        calls, [&](const Call& call) { return call.place == named(other[apart]); });
    if (!is_told) tell(NoteSentence::may_be_called_here, other[apart]);
  }
  return calls;
}

std::vector<Call> Places::alternatives(std::uint32_t site, const SourceFiles& files) const {
  std::vector<Call> lines;
  const std::vector<Chain> several = chains(site);
  if (several.empty() || several.front().empty()) return lines;
  if (program_.sites[site]->source.is_near) {
    lines.push_back({NoteSentence::line_is_near, named(several.front().front()), std::nullopt});
  }
  for (const Chain& other : several) {
    if (first_other_line(several.front(), other) != 0) continue;
    const bool is_told = std::ranges::any_of(
        lines, [&](const Call& line) { return line.place == named(other.front()); });
    if (is_told) continue;
    lines.push_back(
        {NoteSentence::may_be_here, named(other.front()), excerpt(other.front(), files)});
  }
  return lines;
}

Excerpt Places::excerpt(std::uint32_t site, const SourceFiles& files) const {
  if (const ptx::SourceLocation* place = students_place(site)) {
    if (const auto line = excerpt(*place, files)) return *line;
  }
  if (site >= program_.sites.size()) return {};
  const int number = program_.sites[site]->line;
  const std::string_view text = program_.module->line_text(number);
  const std::size_t first = text.find_first_not_of(" \t");
  return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(first + 1),
          clean_text(text, longest_excerpt)};
}

std::optional<Wrapper> Places::wrapper(std::uint32_t site) const {
  const ptx::SourceLocation* shown = students_place(site);
  if (shown == nullptr || *shown == program_.sites[site]->source) return std::nullopt;
  const ptx::SourceLocation& place = program_.sites[site]->source;
  const std::string& file = program_.module->files[static_cast<std::size_t>(place.file)];
  const NoteSentence said = owner_of(&place) == Owner::library
                                ? NoteSentence::in_function_of_library
                            : is_of_interface(file) ? NoteSentence::in_this_function
                                                    : NoteSentence::in_function_of_header;
  return Wrapper{said, named(place)};
}

Places::Line Places::line(std::uint32_t site) const {
  if (const ptx::SourceLocation* place = students_place(site)) return {place->file, place->line};
  return {-1, site < program_.sites.size() ? static_cast<std::uint32_t>(program_.sites[site]->line)
                                           : site};
}

std::vector<Places::Line> Places::lines(std::uint32_t site) const {
  std::vector<std::vector<Line>> ways;
  for (const Chain& chain : chains(site)) {
    std::vector<Line>& way = ways.emplace_back();
    for (const ptx::SourceLocation& place : chain) way.push_back({place.file, place.line});
  }
  if (ways.empty()) return {line(site)};
  std::ranges::sort(ways);
  const auto last = std::unique(ways.begin(), ways.end());
  std::vector<Line> lines;
  for (auto way = ways.begin(); way != last; ++way) {
    lines.insert(lines.end(), way->begin(), way->end());
  }
  return lines;
}

bool Places::are_copies(std::uint32_t site, std::uint32_t other) const {
  if (site >= program_.sites.size() || other >= program_.sites.size()) return site == other;
  const ptx::SourceLocation& a = program_.sites[site]->source;
  const ptx::SourceLocation& b = program_.sites[other]->source;
  if (a.line == 0 || b.line == 0 || a.is_near || b.is_near) return site == other;
  const auto ways = [&](const ptx::SourceLocation& place) {
    std::vector<std::int32_t> ways{place.inlined_at};
    if (place.inlined_at < 0) return ways;
    const auto& inlined_at =
        program_.module->inline_sites[static_cast<std::size_t>(place.inlined_at)];
    ways.insert(ways.end(), inlined_at.alternatives.begin(), inlined_at.alternatives.end());
    return ways;
  };
  return std::ranges::any_of(ways(a), [&](std::int32_t its) {
    return std::ranges::any_of(ways(b), [&](std::int32_t others) {
      return are_inlined_alike({a.file, a.line, a.column, its}, {b.file, b.line, b.column, others},
                               *program_.module);
    });
  });
}

bool Places::is_on_one_way(std::uint32_t site, std::uint32_t other) const {
  return comes_by(site, other) || comes_by(other, site);
}

// Who writes what all read then comes by that line, too, and has no need to read: the compiler lets
// it go on with the value that it has.
bool Places::comes_by(std::uint32_t from, std::uint32_t to) const {
  if (may_come_to(program_, from, to)) return true;
  if (students_place(to) == nullptr) return false;
  const std::vector<Line> line_of_it = lines(to);
  for (std::uint32_t site = 0; site < program_.sites.size(); ++site) {
    if (lines(site) == line_of_it && may_come_to(program_, from, site)) return true;
  }
  return false;
}

bool Places::are_of_one_cluster(const Dimensions& cta, const Dimensions& other) const {
  const Dimensions& shape = request_.cluster;
  return cta.x / shape.x == other.x / shape.x && cta.y / shape.y == other.y / shape.y &&
         cta.z / shape.z == other.z / shape.z;
}

bool Places::uses_course_header() const {
  return std::ranges::any_of(program_.module->files, [](std::string_view file) {
    const std::string_view folder = file.substr(0, file.size() - base_name(file).size());
    return file.ends_with(".cuh") && (folder.ends_with("/tma/") || folder == "tma/");
  });
}

bool Places::stands_in(std::uint32_t site, std::string_view header) const {
  if (site >= program_.sites.size()) return false;
  const ptx::SourceLocation& place = program_.sites[site]->source;
  if (is_in(place, header)) return true;
  if (place.inlined_at < 0) return false;
  // One of several calls has inlined it.
  const auto& sites = program_.module->inline_sites;
  const auto& others = sites[static_cast<std::size_t>(place.inlined_at)].alternatives;
  return std::ranges::any_of(others, [&](std::int32_t other) {
    return is_in(sites[static_cast<std::size_t>(other)].call, header);
  });
}

// The place, or a call that leads to it.
bool Places::is_in(ptx::SourceLocation place, std::string_view header) const {
  const ptx::Module& module = *program_.module;
  while (place.line != 0 && place.file >= 0) {
    if (module.files[static_cast<std::size_t>(place.file)].ends_with(header)) return true;
    if (place.inlined_at < 0) return false;
    place = module.inline_sites[static_cast<std::size_t>(place.inlined_at)].call;
  }
  return false;
}

bool Places::is_of_kernel(std::string_view name) const {
  return program_.function->name.find(name) != std::string_view::npos;
}

ThreadIndices Places::thread(const Dimensions& cta, ThreadId thread) const {
  const Dimensions& block = request_.block;
  return {
      {cta.x, cta.y, cta.z},
      {thread.index % block.x, thread.index / block.x % block.y, thread.index / block.x / block.y}};
}

const SharedVariable* Places::shared_variable(std::uint32_t offset) const {
  const SharedVariable* found = nullptr;
  for (const SharedVariable& variable : program_.shared_variables) {
    const bool is_dynamic = variable.bytes == 0;  // it ends with shared memory
    if (offset >= variable.offset && (is_dynamic || offset < variable.offset + variable.bytes)) {
      found = &variable;
    }
  }
  return found;
}

NamedBytes Places::bytes(const SharedBytes& bytes) const {
  const SharedVariable* variable = shared_variable(bytes.offset);
  if (variable == nullptr)
    return {.of = "shared memory", .first = bytes.offset, .count = bytes.count};
  return {.of = clean_text(variable->name, longest_name),
          .first = bytes.offset - variable->offset,
          .count = bytes.count};
}

std::string Places::global(const GlobalMemory& memory, std::uint64_t address) const {
  std::string text = "global address " + common::hexadecimal(address);
  const Region* const region = memory.find(address);
  if (region == nullptr) return text;
  if (!region->name.empty()) {
    return text + " (" + clean_text(region->name, longest_name) + "[byte " +
           std::to_string(address - region->address) + "])";
  }
  // The argument that points to the nearest place in front of the address.
  std::size_t argument = 0;
  std::uint64_t nearest = 0;
  const auto& parameters = program_.function->parameters;
  const std::vector<std::size_t> offsets = parameter_offsets(parameters);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    std::uint64_t value = 0;
    if (parameters[i].size() != sizeof value ||
        offsets[i] + sizeof value > request_.parameters.size()) {
      continue;
    }
    std::memcpy(&value, request_.parameters.data() + offsets[i], sizeof value);
    if (value > address || value < region->address || value <= nearest) continue;
    nearest = value;
    argument = i + 1;
  }
  if (argument == 0) return text;
  return text + " (byte " + std::to_string(address - nearest) + " behind the kernel's argument " +
         std::to_string(argument) + ")";
}

std::string Places::object(std::uint32_t offset) const {
  const SharedVariable* variable = shared_variable(offset);
  if (variable == nullptr) return "shared address " + std::to_string(offset);
  const std::string name = clean_text(variable->name, longest_name);
  if (offset == variable->offset) return name;
  return name + " + " + std::to_string(offset - variable->offset) + " bytes";
}

}  // namespace tmaemu
