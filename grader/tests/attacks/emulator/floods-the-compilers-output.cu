// Has the compiler complain at length: a hundred thousand messages.
//
// Fails: the grader keeps no more of it than it shows.
#define A10(x) x x x x x x x x x x
#define A1000(x) A10(A10(A10(x)))
#define A100000(x) A10(A10(A1000(x)))
#define WARN _Pragma("message(\"PASSED\")")
A100000(WARN)

void launch_reverse_tile(int*, const int*, int) {}
