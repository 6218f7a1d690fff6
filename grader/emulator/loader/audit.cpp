// What the dynamic loader asks in every process that tmaemu starts (LD_AUDIT; rtld-audit(7)): a
// program finds the emulator in CUDA's place however it comes to its libcudart: by a run path, by
// dlopen with a path, in a wheel of Python's, or linked into it.
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emulator/loader/replacement.h"
#include "emulator/loader/static_runtime.h"

namespace tmaemu::loader {
namespace {

bool holds(const dl_phdr_info& object, std::uintptr_t address) {
  return std::ranges::any_of(std::span(object.dlpi_phdr, object.dlpi_phnum), [&](const auto& part) {
    return part.p_type == PT_LOAD && address - object.dlpi_addr - part.p_vaddr < part.p_memsz;
  });
}

// The file that a function of this library is from. Not by dladdr(): with a C library before 2.34,
// nothing of libdl may be called while the loader has yet to start the program.
std::string own_file() {
  std::string file;
  const auto take_if_own = [](dl_phdr_info* object, std::size_t, void* found) {
    const bool is_own = holds(*object, std::bit_cast<std::uintptr_t>(&own_file));
    if (is_own) *static_cast<std::string*>(found) = object->dlpi_name;
    return is_own ? 1 : 0;
  };
  dl_iterate_phdr(take_if_own, &file);
  return file;
}

// The folder of this library, with a slash at its end.
const std::string& own_folder() {
  static const std::string folder = [] {
    const std::string path = own_file();
    return path.substr(0, path.rfind('/') + 1);
  }();
  return folder;
}

// The loader keeps pointers into what it is told, for as long as the process lives.
const char* kept(const std::string& text) {
  static std::set<std::string> texts;
  return texts.insert(text).first->c_str();
}

// Empty where there is none.
std::string file_behind(const char* path) {
  const std::unique_ptr<char, decltype(&std::free)> file(realpath(path, nullptr), &std::free);
  return file == nullptr ? "" : file.get();
}

const char* own_library(const std::string& name) {
  return kept(own_folder() + name);
}

void refuse(const std::string& path, const char* why) {
  dprintf(STDERR_FILENO,
          "tmaemu: %s has CUDA's runtime linked into it, and %s; build it with: nvcc -cudart "
          "shared\n",
          path.c_str(), why);
}

// Objects with the runtime in them, whose functions are to jump to those of `library`.
struct Waiting {
  const link_map* object = nullptr;
  std::string path;
  std::string library;
  CudaFunctions functions;
};

class Process {
 public:
  // The object is mapped; what it depends on is looked for next, and nothing of it has run.
  void opens(const link_map& object) {
    // The program itself has no name there.
    const std::string path = *object.l_name == '\0' ? "/proc/self/exe" : object.l_name;
    if (path.starts_with(own_folder())) {
      own_[path] = &object;
      for (Waiting& one : std::exchange(waiting_, {})) serve(std::move(one));
    } else if (auto runtime = runtime_in(path.c_str())) {
      const char* const own = own_library(runtime->library);
      if (add_dependency(object, own)) {
        serve({&object, path, own, std::move(runtime->functions)});
      } else {
        refuse(path, "its dynamic section has no room for the emulator's");
      }
    }
  }

  void closes(const link_map& object) {
    std::erase_if(own_, [&](const auto& one) { return one.second == &object; });
    std::erase_if(waiting_, [&](const Waiting& one) { return one.object == &object; });
  }

 private:
  void serve(Waiting one) {
    const auto library = own_.find(one.library);
    if (library == own_.end()) {
      waiting_.push_back(std::move(one));
    } else if (!redirect(*one.object, one.functions, *library->second)) {
      refuse(one.path, "this system does not let its functions be replaced");
    }
  }

  std::map<std::string, const link_map*> own_;  // the emulator's libraries that are mapped
  std::vector<Waiting> waiting_;
};

// The loader calls from one thread at a time.
Process& process() {
  static Process one;
  return one;
}

}  // namespace
}  // namespace tmaemu::loader

extern "C" {

// The newest that both know: a loader refuses a library of a later version than its own, and one
// before glibc 2.35 has version 1. What is called here is the same in both.
unsigned la_version(unsigned loaders) {
  return std::min<unsigned>(loaders, LAV_CURRENT);
}

// Called with the name that was asked for, and with each place where the loader looks for it: where
// a link is, "libcudart.so", the file behind it says the version.
char* la_objsearch(const char* name, std::uintptr_t*, unsigned) {
  auto library = tmaemu::loader::replacement(name);
  if (!library && tmaemu::loader::names_no_version(name)) {
    library = tmaemu::loader::replacement(tmaemu::loader::file_behind(name));
  }
  return const_cast<char*>(library ? tmaemu::loader::own_library(*library) : name);
}

unsigned la_objopen(link_map* object, Lmid_t space, std::uintptr_t* cookie) {
  *cookie = std::bit_cast<std::uintptr_t>(object);
  if (space == LM_ID_BASE) tmaemu::loader::process().opens(*object);
  return 0;  // nothing about the binding of symbols
}

unsigned la_objclose(std::uintptr_t* cookie) {
  tmaemu::loader::process().closes(*std::bit_cast<const link_map*>(*cookie));
  return 0;
}

}  // extern "C"
