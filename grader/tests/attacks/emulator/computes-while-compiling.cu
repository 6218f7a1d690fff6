// Has the compiler compute, without end.
//
// Fails: the compiler's memory and time are limited.
constexpr unsigned long count_leaves(int depth) {
  return depth == 0 ? 1 : count_leaves(depth - 1) + count_leaves(depth - 1);
}

void launch_reverse_tile(int* dest, const int*, int) {
  constexpr unsigned long leaves = count_leaves(60);
  *dest = static_cast<int>(leaves);
}
