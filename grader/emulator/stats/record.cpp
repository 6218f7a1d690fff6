#include "emulator/stats/record.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "emulator/diagnostics/places.h"

namespace tmaemu::stats {
namespace {

// Where the brackets that end at `last` begin; npos where they do not match.
std::size_t opening(const std::string& text, std::size_t last, char open, char close) {
  int depth = 0;
  for (std::size_t i = last + 1; i-- > 0;) {
    if (text[i] == close) ++depth;
    if (text[i] == open && --depth == 0) return i;
  }
  return std::string::npos;
}

// The result type of a template's demangled name ends at the last space outside of brackets.
std::size_t after_result_type(const std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (name[i] == ' ' && depth == 0) return i + 1;
  }
  return 0;
}

std::string name_of(const BarrierId& barrier, const Places& places) {
  switch (barrier.kind) {
    case BarrierId::Kind::mbarrier:
      return places.object(barrier.number);
    case BarrierId::Kind::cluster:
      return "cluster barrier";
    case BarrierId::Kind::cta:
      break;
  }
  return barrier.number == 0 ? "__syncthreads()" : "barrier " + std::to_string(barrier.number);
}

}  // namespace

std::string readable_name(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return mangled;  // extern "C"
  std::string name = demangled.get();
  if (name.ends_with(')')) {
    const std::size_t parameters = opening(name, name.size() - 1, '(', ')');
    if (parameters != std::string::npos) name.erase(parameters);
  }
  return name.substr(after_result_type(name));
}

Record make_record(const Program& program, const LaunchRequest& request, const Places& places,
                   bool completed, Counters counters) {
  Record record;
  record.kernel = readable_name(program.function->name);
  record.grid = request.grid;
  record.block = request.block;
  record.cluster = request.cluster;
  record.completed = completed;
  record.counters = std::move(counters);
  for (const auto& [barrier, waits] : record.counters.waits) {
    record.waits.push_back({name_of(barrier, places), waits});
  }
  for (const auto& [site, excess] : record.counters.excess) {
    record.excess.push_back({text_of(places.place(site)), excess});
  }
  return record;
}

}  // namespace tmaemu::stats
