// The body of a lab's checks/<lab>/entry.cu: binds the launchers in a student's file to the parts
// that the file ENTRY_PARTS lists (checks/<lab>/parts.def), one line a part:
//
//     PART(one_tile, void, launch_add_one_tile, (int* data, int count))
//     TEMPLATE_PART(pad, elements, (typename T), void, launch_pad, (T* dest, const T* src))
//
// that is: the part; for a template the entry.cu's list of its instances and the template's
// parameters; then the launcher's result, name and parameters.
//
// The list is read three times. Whatever macros a student defines must not matter, so what comes
// after their file has only names in it that begin with `entry` or have an underscore and a prefix
// of ours, and never the name of a part's parameter.
#pragma once

#include "runner/part_calls.h"

#define ENTRY_WITHOUT_PARENTHESES(...) __VA_ARGS__

// The parameters of every launcher.
namespace tmagrade_entry {

#define PART(name, result, launcher, parameters)                                      \
  struct part_##name {                                                                \
    static constexpr bool gives_result = tmagrade_entry::gives_result(#result);       \
    static void launcher_with parameters;                                             \
                                                                                      \
    static auto declared() { return std::type_identity<decltype(&launcher_with)>{}; } \
  };
#define TEMPLATE_PART(name, instances, template_parameters, result, launcher, parameters) \
  struct part_##name {                                                                    \
    static constexpr bool gives_result = false;                                           \
    using entry_made = instances;                                                         \
    template <ENTRY_WITHOUT_PARENTHESES template_parameters>                              \
    static void launcher_with parameters;                                                 \
                                                                                          \
    template <auto... VALUES>                                                             \
    static auto declared(Values<VALUES...>) {                                             \
      return std::type_identity<decltype(&launcher_with<VALUES...>)>{};                   \
    }                                                                                     \
    template <class TYPE, auto... VALUES>                                                 \
    static auto declared(Type<TYPE, VALUES...>) {                                         \
      return std::type_identity<decltype(&launcher_with<TYPE, VALUES...>)>{};             \
    }                                                                                     \
  };
#include ENTRY_PARTS
#undef PART
#undef TEMPLATE_PART

// What the text behind the student's file needs of part_calls.h, by names that nobody takes.
using EntryMissing = Missing;
template <class RESULT>
inline constexpr bool entry_is_defined = is_defined<RESULT>;
template <auto... VALUES>
using EntryValuesOf = Values<VALUES...>;
template <class TYPE, auto... VALUES>
using EntryTypeOf = Type<TYPE, VALUES...>;
constexpr bool entry_is_part(const char* id, const char* name) {
  return is_part(id, name);
}
template <class PART, class ENTRY>
int entry_call_part(const SubmissionArguments& arguments) {
  return call_part<PART, ENTRY>(arguments);
}
template <class PART, class ENTRY, class INSTANCES>
int entry_call_instance(const SubmissionArguments& arguments, INSTANCES instances) {
  return call_instance<PART, ENTRY>(arguments, instances);
}

}  // namespace tmagrade_entry

#include "submission.cuh"  // may define main: in a library that is a function that nobody calls

// Macros of the student's.
#undef PART
#undef TEMPLATE_PART

// The call, where the student's file has something that can be called so: a function, or a variable
// that holds one.
#define PART(name, result, launcher, parameters)               \
  struct entry_of_##name {                                     \
    static auto entry_call(auto... entry_values) {             \
      if constexpr (requires { launcher(entry_values...); }) { \
        return launcher(entry_values...);                      \
      } else {                                                 \
        return tmagrade_entry::EntryMissing{};                 \
      }                                                        \
    }                                                          \
  };
// Of templates, an overload of every launcher, which is chosen where the student's file defines no
// such launcher; and the call.
#define ENTRY_CALL(...)                                                                     \
  if constexpr (tmagrade_entry::entry_is_defined<decltype(__VA_ARGS__(entry_values...))>) { \
    return __VA_ARGS__(entry_values...);                                                    \
  } else {                                                                                  \
    return tmagrade_entry::EntryMissing{};                                                  \
  }
// Overloads, one for each type, are as good as a template.
#define TEMPLATE_PART(name, instances, template_parameters, result, launcher, parameters)          \
  template <auto...>                                                                               \
  tmagrade_entry::EntryMissing launcher(...);                                                      \
  template <class, auto...>                                                                        \
  tmagrade_entry::EntryMissing launcher(...);                                                      \
  struct entry_of_##name {                                                                         \
    template <auto... ENTRY_VALUES>                                                                \
    static auto entry_call(tmagrade_entry::EntryValuesOf<ENTRY_VALUES...>, auto... entry_values) { \
      ENTRY_CALL(launcher<ENTRY_VALUES...>)                                                        \
    }                                                                                              \
    template <class ENTRY_TYPE, auto... ENTRY_VALUES>                                              \
    static auto entry_call(tmagrade_entry::EntryTypeOf<ENTRY_TYPE, ENTRY_VALUES...>,               \
                           auto... entry_values) {                                                 \
      using entry_result = decltype(launcher<ENTRY_TYPE, ENTRY_VALUES...>(entry_values...));       \
      if constexpr (tmagrade_entry::entry_is_defined<entry_result>) {                              \
        return launcher<ENTRY_TYPE, ENTRY_VALUES...>(entry_values...);                             \
      } else {                                                                                     \
        ENTRY_CALL(launcher)                                                                       \
      }                                                                                            \
    }                                                                                              \
  };
#include ENTRY_PARTS

#undef PART
#undef TEMPLATE_PART
#define PART(name, result, launcher, parameters)                                          \
  if (tmagrade_entry::entry_is_part(entry_part, #name)) {                                 \
    return tmagrade_entry::entry_call_part<tmagrade_entry::part_##name, entry_of_##name>( \
        *entry_arguments);                                                                \
  }
#define TEMPLATE_PART(name, instances, template_parameters, result, launcher, parameters)     \
  if (tmagrade_entry::entry_is_part(entry_part, #name)) {                                     \
    return tmagrade_entry::entry_call_instance<tmagrade_entry::part_##name, entry_of_##name>( \
        *entry_arguments, tmagrade_entry::part_##name::entry_made{});                         \
  }

extern "C" int submission_call(const char* entry_part, const SubmissionArguments* entry_arguments) {
#include ENTRY_PARTS
  return submission_unknown_part;
}
