// What a student may hand in: launchers in unusual shapes, and macros by names that the grader has,
// too.
#include <array>
#include <cstddef>
#include <string>

inline std::string called;  // what the last launcher was called with

template <class... Values>
void note(const Values&... values) {
  called.clear();
  ((called += std::to_string(values) + " "), ...);
}

template <class T>
long number_of_address(T* address) {
  return reinterpret_cast<long>(address);
}

static void launch_one_tile(int* data, size_t count) {
  note(number_of_address(data), count);
}
inline auto* const launcher_of_the_test = launch_one_tile;  // fine: there is only one as yet

inline void launch_numbers(bool yes, float a, const double* x, int n, double b) {
  note(static_cast<int>(yes), a, number_of_address(x), n, b);
}

inline void launch_arrays(std::array<int, 2> first, int last, std::array<int, 3> second) {
  note(first[0], first[1], last, second[0], second[1], second[2]);
}

inline void launch_without_const(int* dest, int* src) {
  note(number_of_address(dest), number_of_address(src));
}

inline int launch_with_a_status(int* data) {
  note(number_of_address(data));
  return 77;
}

inline float number_of(int data) {
  return static_cast<float>(data) / 2;
}

struct Facts {
  int second;
  int first;
};
inline Facts facts_of(int data) {
  return {data + 1, data};
}

const auto launch_variable = [](int* data, int count) { note(number_of_address(data), count); };

struct Other {};
inline void launch_of_other_types(Other* data, int count) {
  note(number_of_address(data), count);
}

template <int ROWS, int COLUMNS>
void launch_tile(int* data) {
  note(ROWS, COLUMNS, number_of_address(data));
}

inline void launch_no_template(int* data) {
  note(number_of_address(data));
}

template <typename Element>
void launch_typed(Element* data, int count) {
  note(sizeof(Element), number_of_address(data), count);
}

inline void launch_overloaded(const float*) {
  note(1);
}
inline void launch_overloaded(const int*) {
  note(2);
}

template <typename Element, int DIMENSIONS>
void launch_ranked(Element*, std::array<int, DIMENSIONS> sizes) {
  note(sizeof(Element), sizes.size(), sizes[DIMENSIONS - 1]);
}

#define PART 1
#define TEMPLATE_PART 2
#define PARTS 3
#define N 1024
#define T float
#define Missing 17
#define Type float
#define Values 18
#define Made 19
#define Reader 20
#define is_defined 21
#define is_part 22
#define call_part 23
#define call_instance 24
#define TILE_M 64
#define call 5
#define count 6
#define data 7
#define dest 8
#define launcher 9
#define name 10
#define one_tile 11
#define part 12
#define result 13
#define tile 14
#define tiles 15
#define values 16
