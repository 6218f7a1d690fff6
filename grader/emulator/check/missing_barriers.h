// One missing barrier, or one missing wait for copies, leaves many pairs of lines unordered: it is
// told of one of them.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "emulator/diagnostics/places.h"
#include "emulator/model/finding.h"
#include "emulator/program/program.h"

namespace tmaemu::check {

// Of a launch, whose clusters share it.
class MissingBarriers {
 public:
  MissingBarriers(const Program& program, const Places& places)
      : program_(program), places_(places) {}
  MissingBarriers(const MissingBarriers&) = delete;
  MissingBarriers& operator=(const MissingBarriers&) = delete;

  // Of the findings that one barrier would mend, leaves one, which explains the others.
  void merge(std::vector<Finding>& findings);

 private:
  // Instructions, in order: in front of each of them, what is missing would order two accesses.
  using Sites = std::vector<std::uint32_t>;
  struct Group;
  const Sites& remedies(const Finding& finding);
  Sites find_remedies(std::uint32_t site, std::uint32_t other, bool is_copy) const;
  bool comes_first(const Finding& finding, const Finding& other) const;
  void explain(const Group& group, std::vector<Finding>& findings) const;
  Note example_of(const std::vector<const Finding*>& others, const Finding& told) const;

  const Program& program_;
  const Places& places_;
  std::mutex mutex_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, Sites> found_;
};

}  // namespace tmaemu::check
