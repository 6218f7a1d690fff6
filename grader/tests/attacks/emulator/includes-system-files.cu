// Includes files of the machine's: their lines would come back as the compiler's complaints, for
// the student to read.
//
// Fails: the compiler runs in the sandbox too, and finds nothing there.
#include "/etc/passwd"
#include "/proc/self/environ"
