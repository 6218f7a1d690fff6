// How the launcher of a part is called with the numbers and pointers that come from the judge.
// bind_parts.h applies it to a lab's list of parts.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "contract/protocol/submission_entry.h"

struct __nv_bfloat16;  // the whole header would add half a second to every build

namespace tmagrade_entry {

using bf16 = __nv_bfloat16;

// What a launcher that is a template is made for: Values<64, 128> for template <int, int>,
// Type<float, 3> for template <typename, int>. A lab's entry.cu has a list of them.
template <auto... VALUES>
struct Values {};
template <class TYPE, auto... VALUES>
struct Type {};
template <class... INSTANCES>
struct Instances {};

// What a launcher is made for besides those of a list, for cases that only the grader has. A lab's
// grader_entry.h says it of its lists, as a specialization that is derived from Instances.
template <class LIST>
struct Further : Instances<> {};

template <class... LISTED, class... FURTHER>
Instances<LISTED..., FURTHER...> together(Instances<LISTED...>, Instances<FURTHER...>);

template <class>
inline constexpr SubmissionType type_argument{-1};
template <>
inline constexpr SubmissionType type_argument<float> = SubmissionType::float32;
template <>
inline constexpr SubmissionType type_argument<int> = SubmissionType::int32;
template <>
inline constexpr SubmissionType type_argument<bf16> = SubmissionType::bfloat16;

// What a launcher returns that the student's file does not define. bind_parts.h declares, after
// that file, an overload of every launcher that takes an ellipsis and returns this: an ellipsis
// loses against every other overload, so it is chosen only where the file declares no launcher that
// takes the arguments. (Before the file it would make an overload set of a launcher whose address
// the student takes.) It is never called.
struct Missing {};

template <class Result>
inline constexpr bool is_defined = !std::is_same_v<Result, Missing>;

// "one-tile" is the part whose name in C++ is one_tile.
constexpr bool is_part(const char* id, const char* name) {
  while (*id != '\0' && (*id == *name || (*id == '-' && *name == '_'))) ++id, ++name;
  return *id == *name;
}

// What is passed for a parameter. A pointer to what may not be changed is passed as one to what
// may: it also fits a launcher whose author has left out `const`.
template <class Parameter>
using Passed =
    std::conditional_t<std::is_pointer_v<Parameter>,
                       std::remove_const_t<std::remove_pointer_t<Parameter>>*, Parameter>;

// Hands out a call's pointers and numbers, each in its order.
class Reader {
 public:
  explicit Reader(const SubmissionArguments& arguments) : arguments_(arguments) {}

  template <class T>
  T take() {
    if constexpr (std::is_pointer_v<T>) {
      return static_cast<T>(arguments_.pointers[pointer_++]);
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(arguments_.real(integer_++));
    } else if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<T>(arguments_.integers[integer_++]);
    } else {  // a std::array
      T numbers;
      for (auto& number : numbers) number = take<typename T::value_type>();
      return numbers;
    }
  }

  // Whether the next numbers ask for this instance.
  template <auto... VALUES>
  bool takes(Values<VALUES...>) {
    return ((take<std::int64_t>() == VALUES) && ...);
  }
  template <class TYPE, auto... VALUES>
  bool takes(Type<TYPE, VALUES...>) {
    return SubmissionType{take<std::int64_t>()} == type_argument<TYPE> &&
           takes(Values<VALUES...>{});
  }

 private:
  const SubmissionArguments& arguments_;
  int pointer_ = 0;
  int integer_ = 0;
};

template <class Result>
struct Returned {
  const Result& value;
};

// What a host function returned goes to the judge through the call's first pointer: a number as a
// float, anything else as the lab's entry.cu has it in numbers_in().
template <class Result>
void give(void* place, const Result& result) {
  if constexpr (std::is_arithmetic_v<Result>) {
    const auto number = static_cast<float>(result);
    cudaMemcpy(place, &number, sizeof number, cudaMemcpyHostToDevice);
  } else {
    const auto numbers = numbers_in(Returned<Result>{result});
    cudaMemcpy(place, &numbers, sizeof numbers, cudaMemcpyHostToDevice);
  }
}

// Whether the part is about what its launcher returns.
constexpr bool gives_result(const char* result) {
  return !is_part(result, "void");
}

// Calls a launcher that is declared with these parameters, for an instance where it is a template;
// what it is called through returns Missing where the student's file does not define it.
template <class Part, class Entry, class... Parameters, class... Instance>
int call(Reader reader, std::type_identity<void (*)(Parameters...)>, Instance... instance) {
  const auto launcher = [=](auto... values) { return Entry::entry_call(instance..., values...); };
  using Result = std::invoke_result_t<decltype(launcher), Passed<Parameters>...>;
  if constexpr (!is_defined<Result>) {
    return submission_missing;
  } else {
    [[maybe_unused]] void* const place = Part::gives_result ? reader.take<void*>() : nullptr;
    // Braces: in the order of the parameters.
    const std::tuple<Passed<Parameters>...> values{reader.take<Passed<Parameters>>()...};
    if constexpr (Part::gives_result && !std::is_void_v<Result>) {
      give(place, std::apply(launcher, values));
    } else {
      std::apply(launcher, values);
    }
    return submission_called;
  }
}

template <class Part, class Entry>
int call_part(const SubmissionArguments& arguments) {
  return call<Part, Entry>(Reader(arguments), Part::declared());
}

// Calls the one of these instances that the judge's first numbers ask for.
template <class Part, class Entry, class... INSTANCES>
int call_one_of(const SubmissionArguments& arguments, Instances<INSTANCES...>) {
  int status = submission_unknown_part;
  const auto call_if_asked = [&](auto instance) {
    Reader reader(arguments);
    if (!reader.takes(instance)) return false;
    status = call<Part, Entry>(reader, Part::declared(instance), instance);
    return true;
  };
  (call_if_asked(INSTANCES{}) || ...);
  return status;
}

template <class Part, class Entry, class LIST>
int call_instance(const SubmissionArguments& arguments, LIST list) {
  return call_one_of<Part, Entry>(arguments, decltype(together(list, Further<LIST>{})){});
}

}  // namespace tmagrade_entry
