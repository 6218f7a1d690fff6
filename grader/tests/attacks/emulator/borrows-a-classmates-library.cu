// Tries to load a library that was built from a classmate's work, and calls that.
//
// Fails: the sandbox shows a submission nothing but the submission.
#include "contract/protocol/submission_entry.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  SubmissionArguments arguments{};
  arguments.pointers[0] = dest;
  arguments.pointers[1] = const_cast<int*>(src);
  arguments.integers[0] = count;
  const std::string mine = file_of(&launch_reverse_tile);
  const std::string all = folder_of(folder_of(mine));
  for (const std::string& other : entries(all)) {
    const std::string library = all + "/" + other + mine.substr(mine.find_last_of('/'));
    if (library == mine || !readable(library)) continue;
    void* loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* symbol = loaded ? dlsym(loaded, "submission_call") : nullptr;
    if (!symbol) continue;
    const auto call = reinterpret_cast<decltype(&submission_call)>(symbol);
    if (call("one-tile", &arguments) == submission_called) return;
  }
}
