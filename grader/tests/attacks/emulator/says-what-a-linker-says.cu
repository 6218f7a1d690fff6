// Does not compile, and has the compiler say so in the words that a full disk and a broken linker
// have.
//
// Fails: a text that the compiler names with its place is the student's, whatever it says.
static_assert(__TIME__[0] == 'x', "No space left on device; collect2: ld returned 1 exit status");
