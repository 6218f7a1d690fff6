// What our programs, GoogleTest and libstdc++ use of a C library newer than 2.31, by means that 2.31 has. Linked only
// into the programs that a release holds (build.mk), and hidden in each.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

// 2.32. False is always right: libstdc++ then counts references by atomic instructions (<ext/atomicity.h>).
char __libc_single_threaded = 0;

// 2.33. Before, <sys/stat.h> had stat() inline, over these with the version of struct stat.
extern int __xstat(int version, const char* path, struct stat* out);
extern int __lxstat(int version, const char* path, struct stat* out);
extern int __fxstat(int version, int file, struct stat* out);
extern int __fxstatat(int version, int folder, const char* path, struct stat* out, int flags);
enum { stat_version = 1 };  // of x86-64
int stat(const char* path, struct stat* out) { return __xstat(stat_version, path, out); }
int lstat(const char* path, struct stat* out) { return __lxstat(stat_version, path, out); }
int fstat(int file, struct stat* out) { return __fxstat(stat_version, file, out); }
int fstatat(int folder, const char* path, struct stat* out, int flags) {
  return __fxstatat(stat_version, folder, path, out, flags);
}

// 2.32. Before, these were arrays, which a newer C library still has for older programs.
extern const char* const sys_sigabbrev[];
extern const char* const _sys_siglist[];
const char* sigabbrev_np(int number) { return number >= 0 && number < NSIG ? sys_sigabbrev[number] : NULL; }
const char* sigdescr_np(int number) { return number >= 0 && number < NSIG ? _sys_siglist[number] : NULL; }

// 2.34. Closes what is open now, which is what is open at the spawn where no other thread opens a file without
// O_CLOEXEC meanwhile: the judge opens none.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t* actions, int first) {
  DIR* folder = opendir("/proc/self/fd");
  if (folder == NULL) return errno;
  int error = 0;
  for (struct dirent* entry = readdir(folder); entry != NULL && error == 0; entry = readdir(folder)) {
    const int file = atoi(entry->d_name);  // 0 for "." and ".."
    if (file >= first && file != dirfd(folder)) error = posix_spawn_file_actions_addclose(actions, file);
  }
  closedir(folder);
  return error;
}

// 2.36; libstdc++'s random_device.
unsigned int arc4random(void) {
  unsigned int number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) continue;
  return number;
}

// 2.38: what strtol() and its like are called where binary literals count (C23), which the older ones do not read.
long __isoc23_strtol(const char* text, char** end, int base) __asm__("__isoc23_strtol");
unsigned long __isoc23_strtoul(const char* text, char** end, int base) __asm__("__isoc23_strtoul");
long long __isoc23_strtoll(const char* text, char** end, int base) __asm__("__isoc23_strtoll");
unsigned long long __isoc23_strtoull(const char* text, char** end, int base) __asm__("__isoc23_strtoull");
extern long older_strtol(const char* text, char** end, int base) __asm__("strtol");
extern unsigned long older_strtoul(const char* text, char** end, int base) __asm__("strtoul");
long __isoc23_strtol(const char* text, char** end, int base) { return older_strtol(text, end, base); }
unsigned long __isoc23_strtoul(const char* text, char** end, int base) { return older_strtoul(text, end, base); }
long long __isoc23_strtoll(const char* text, char** end, int base) { return older_strtol(text, end, base); }
unsigned long long __isoc23_strtoull(const char* text, char** end, int base) {
  return older_strtoul(text, end, base);
}

#ifdef PROGRAM
// Since 2.34 crt1.o gives no function that runs a program's constructors: the C library runs them, which an older one
// does not. Linked with --wrap=__libc_start_main; a newer C library runs what a program of the old way gives, and only
// that.
typedef void Initializer(int, char**, char**);
typedef int Main(int, char**, char**);
extern Initializer* __init_array_start[] __attribute__((visibility("hidden")));
extern Initializer* __init_array_end[] __attribute__((visibility("hidden")));

static void run_constructors(int count, char** words, char** environment) {
  for (Initializer** each = __init_array_start; each < __init_array_end; ++each) (*each)(count, words, environment);
}

extern int __real___libc_start_main(Main* main, int count, char** words, Initializer* init, void (*fini)(void),
                                    void (*end_of_loader)(void), void* stack_end);
int __wrap___libc_start_main(Main* main, int count, char** words, Initializer* init, void (*fini)(void),
                             void (*end_of_loader)(void), void* stack_end) {
  return __real___libc_start_main(main, count, words, init != NULL ? init : run_constructors, fini, end_of_loader,
                                  stack_end);
}
#endif
