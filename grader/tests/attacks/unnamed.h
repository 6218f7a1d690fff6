// For attacks that call what no launcher may call. A build refuses libraries that leave such names
// to other libraries; here functions are looked up in libc's own table of symbols, and the attack's
// library names none of them. To be included last: the macros below take the names' places.
#pragma once

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace unnamed {

// The first byte of the library that `inside` belongs to.
inline const char* library_of(const void* inside) {
  auto page = reinterpret_cast<std::uintptr_t>(inside) / 4096 * 4096;
  while (std::memcmp(reinterpret_cast<const void*>(page), ELFMAG, SELFMAG) != 0) page -= 4096;
  return reinterpret_cast<const char*>(page);
}

inline const ElfW(Dyn) * dynamic_of(const char* library) {
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(library);
  const auto* segment = reinterpret_cast<const ElfW(Phdr)*>(library + header->e_phoff);
  while (segment->p_type != PT_DYNAMIC) ++segment;
  return reinterpret_cast<const ElfW(Dyn)*>(library + segment->p_vaddr);
}

inline void* find(const char* name) {
  const char* libc = library_of(reinterpret_cast<const void*>(&std::printf));
  const ElfW(Sym)* symbol = nullptr;
  const char* strings = nullptr;
  for (const ElfW(Dyn)* entry = dynamic_of(libc); entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) {
      symbol = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
    } else if (entry->d_tag == DT_STRTAB) {
      strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
    }
  }
  // The strings come right after the symbols.
  for (; reinterpret_cast<const char*>(symbol) < strings; ++symbol) {
    if (symbol->st_value != 0 && std::strcmp(strings + symbol->st_name, name) == 0) {
      return const_cast<char*>(libc) + symbol->st_value;
    }
  }
  std::fprintf(stderr, "libc has no %s\n", name);
  std::abort();
}

}  // namespace unnamed

#define UNNAMED(name) (*reinterpret_cast<decltype(&::name)>(unnamed::find(#name)))

#define close(...) UNNAMED(close)(__VA_ARGS__)
#define closedir(...) UNNAMED(closedir)(__VA_ARGS__)
#define connect(...) UNNAMED(connect)(__VA_ARGS__)
#define dladdr(...) UNNAMED(dladdr)(__VA_ARGS__)
#define dlopen(...) UNNAMED(dlopen)(__VA_ARGS__)
#define dlsym(...) UNNAMED(dlsym)(__VA_ARGS__)
#define execl(...) UNNAMED(execl)(__VA_ARGS__)
#define execv(...) UNNAMED(execv)(__VA_ARGS__)
#define fork(...) UNNAMED(fork)(__VA_ARGS__)
#define fstat(...) UNNAMED(fstat)(__VA_ARGS__)
#define ftruncate(...) UNNAMED(ftruncate)(__VA_ARGS__)
#define getpgid(...) UNNAMED(getpgid)(__VA_ARGS__)
#define getpid(...) UNNAMED(getpid)(__VA_ARGS__)
#define getppid(...) UNNAMED(getppid)(__VA_ARGS__)
#define ioctl(...) UNNAMED(ioctl)(__VA_ARGS__)
#define kill(...) UNNAMED(kill)(__VA_ARGS__)
#define listen(...) UNNAMED(listen)(__VA_ARGS__)
#define madvise(...) UNNAMED(madvise)(__VA_ARGS__)
#define memfd_create(...) UNNAMED(memfd_create)(__VA_ARGS__)
#define memmem(...) UNNAMED(memmem)(__VA_ARGS__)
#define mmap(...) UNNAMED(mmap)(__VA_ARGS__)
#define mount(...) UNNAMED(mount)(__VA_ARGS__)
#define mprotect(...) UNNAMED(mprotect)(__VA_ARGS__)
#define munmap(...) UNNAMED(munmap)(__VA_ARGS__)
#define open(...) UNNAMED(open)(__VA_ARGS__)
#define opendir(...) UNNAMED(opendir)(__VA_ARGS__)
#define pause(...) UNNAMED(pause)(__VA_ARGS__)
#define pipe(...) UNNAMED(pipe)(__VA_ARGS__)
#define prctl(...) UNNAMED(prctl)(__VA_ARGS__)
#define process_vm_readv(...) UNNAMED(process_vm_readv)(__VA_ARGS__)
#define pread(...) UNNAMED(pread)(__VA_ARGS__)
#define ptrace(...) UNNAMED(ptrace)(__VA_ARGS__)
#define pthread_create(...) UNNAMED(pthread_create)(__VA_ARGS__)
#define pthread_attr_init(...) UNNAMED(pthread_attr_init)(__VA_ARGS__)
#define pthread_attr_setstacksize(...) UNNAMED(pthread_attr_setstacksize)(__VA_ARGS__)
#define pwrite(...) UNNAMED(pwrite)(__VA_ARGS__)
#define read(...) UNNAMED(read)(__VA_ARGS__)
#define readdir(...) UNNAMED(readdir)(__VA_ARGS__)
#define readlink(...) UNNAMED(readlink)(__VA_ARGS__)
#define realpath(...) UNNAMED(realpath)(__VA_ARGS__)
#define rename(...) UNNAMED(rename)(__VA_ARGS__)
#define sched_setscheduler(...) UNNAMED(sched_setscheduler)(__VA_ARGS__)
#define sched_yield(...) UNNAMED(sched_yield)(__VA_ARGS__)
#define send(...) UNNAMED(send)(__VA_ARGS__)
#define setenv(...) UNNAMED(setenv)(__VA_ARGS__)
#define setpriority(...) UNNAMED(setpriority)(__VA_ARGS__)
#define setsid(...) UNNAMED(setsid)(__VA_ARGS__)
#define signal(...) UNNAMED(signal)(__VA_ARGS__)
#define sleep(...) UNNAMED(sleep)(__VA_ARGS__)
#define socket(...) UNNAMED(socket)(__VA_ARGS__)
#define syscall(...) UNNAMED(syscall)(__VA_ARGS__)
#define unlink(...) UNNAMED(unlink)(__VA_ARGS__)
#define unshare(...) UNNAMED(unshare)(__VA_ARGS__)
#define usleep(...) UNNAMED(usleep)(__VA_ARGS__)
#define waitpid(...) UNNAMED(waitpid)(__VA_ARGS__)
#define write(...) UNNAMED(write)(__VA_ARGS__)

// What attacks do again and again.

inline std::string contents(const std::string& path) {
  std::string text;
  char bytes[4096];
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  for (ssize_t got = 0; file >= 0 && (got = read(file, bytes, sizeof bytes)) > 0;) {
    text.append(bytes, static_cast<size_t>(got));
  }
  if (file >= 0) close(file);
  return text;
}

inline bool readable(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0) close(file);
  return file >= 0;
}

inline std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  DIR* opened = opendir(folder.c_str());
  if (opened == nullptr) return names;
  while (const dirent* entry = readdir(opened)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  closedir(opened);
  return names;
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> found;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    found.push_back(text.substr(begin, end - begin));
  }
  return found;
}

// Attacks on memory stop in time where they work: they shall do no harm to whoever runs this test.
inline bool plenty_of_memory() {
  unsigned long kibibytes = 0;
  const std::string all = contents("/proc/meminfo");
  const char* line = std::strstr(all.c_str(), "MemAvailable:");
  return line && std::sscanf(line, "MemAvailable: %lu", &kibibytes) == 1 && kibibytes > 3 << 20;
}

// Without the last part; empty for what stands in the root.
inline std::string folder_of(const std::string& path) {
  return path.substr(0, path.find_last_of('/'));
}

// The file of the library that holds `function`.
template <class Function>
std::string file_of(Function* function) {
  Dl_info here{};
  dladdr(reinterpret_cast<const void*>(function), &here);
  char path[PATH_MAX] = {};
  return realpath(here.dli_fname, path) ? path : here.dli_fname;
}

// Lets whatever calls `function` call `other` instead. False where the code cannot be changed.
inline bool replace(void* function, const void* other) {
  const auto page = reinterpret_cast<std::uintptr_t>(function) / 4096 * 4096;
  const int writable = PROT_READ | PROT_WRITE | PROT_EXEC;
  if (mprotect(reinterpret_cast<void*>(page), 8192, writable) != 0) return false;
  unsigned char jump[12] = {0x48, 0xB8, 0, 0, 0,    0,
                            0,    0,    0, 0, 0xFF, 0xE0};  // mov rax, other; jmp rax
  std::memcpy(jump + 2, &other, sizeof other);
  std::memcpy(function, jump, sizeof jump);
  return true;
}

// Works in a thread of its own that nobody waits for.
template <class Work>
void in_a_thread(Work work) {
  pthread_t thread;
  const auto run = [](void* moved) -> void* {
    (*static_cast<Work*>(moved))();
    return nullptr;
  };
  pthread_create(&thread, nullptr, run, new Work(std::move(work)));
}
