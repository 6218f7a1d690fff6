// Makes a judge::Part of each line of checks/<lab>/parts.def, which a lab's cases.h includes after
// this file, in a namespace `parts` of its own. What a line says is in runner/bind_parts.h.
#pragma once

#include <cstddef>

#include "contract/protocol/submission_entry.h"
#include "judge/cases/call_case.h"

namespace judge {

// The part whose name in C++ is one_tile is "one-tile" everywhere else.
template <std::size_t SIZE>
struct PartId {
  char text[SIZE];

  consteval PartId(const char (&name)[SIZE]) {
    for (std::size_t i = 0; i < SIZE; ++i) text[i] = name[i] == '_' ? '-' : name[i];
  }
};

template <PartId ID>
consteval const char* part_id() {
  return ID.text;
}

// A type argument of a launcher that is a template. Template arguments come before all others.
constexpr std::int64_t type_argument(SubmissionType type) {
  return static_cast<std::int64_t>(type);
}

// The part, if its kernels are for GPUs of this compute capability, and no earlier ones.
constexpr Part for_sm(int sm, Part part) {
  part.sm = sm;
  return part;
}

// The part, whose values are followed.
constexpr Part following_values(Part part) {
  part.follows_values = true;
  return part;
}

// The part, of which the kernel that bears its name is to be mended.
constexpr Part hunted(Part part) {
  part.is_hunt = true;
  return part;
}

}  // namespace judge

#define JUDGE_TEXT(...) #__VA_ARGS__
#define PART(name, result, launcher, parameters) \
  inline constexpr judge::Part name{judge::part_id<#name>(), #result " " #launcher #parameters};
#define TEMPLATE_PART(name, instances, template_parameters, result, launcher, parameters)    \
  inline constexpr judge::Part name{judge::part_id<#name>(),                                 \
                                    "template <" JUDGE_TEXT template_parameters "> " #result \
                                    " " #launcher #parameters};
