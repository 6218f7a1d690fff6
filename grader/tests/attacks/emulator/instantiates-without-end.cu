// Has the compiler instantiate templates: 2 to the power of 60.
//
// Fails: the compiler's memory and time are limited.
template <int DEPTH, unsigned long PATH>
struct Tree {
  static constexpr unsigned long value =
      Tree<DEPTH - 1, PATH * 2>::value + Tree<DEPTH - 1, PATH * 2 + 1>::value;
};
template <unsigned long PATH>
struct Tree<0, PATH> {
  static constexpr unsigned long value = PATH;
};

void launch_reverse_tile(int* dest, const int*, int) {
  *dest = static_cast<int>(Tree<60, 1>::value);
}
