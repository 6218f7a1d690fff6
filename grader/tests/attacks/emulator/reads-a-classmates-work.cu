// Tries to read what was built from a classmate's work, which lies beside its own library. The
// answer is right if that worked.
//
// Fails: the sandbox shows a submission nothing but the submission.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  const std::string mine = file_of(&launch_reverse_tile);
  const std::string all = folder_of(folder_of(mine));
  for (const std::string& other : entries(all)) {
    const std::string library = all + "/" + other + mine.substr(mine.find_last_of('/'));
    if (library == mine || !readable(library)) continue;
    reverse<<<1, 256>>>(dest, src, count);
    return;
  }
}
