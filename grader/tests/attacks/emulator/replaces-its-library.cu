// Tries to be another submission when the next engine judges it: moves its own library away. The
// answer is right if that worked.
//
// Fails: its folder is read-only, and it renames no files.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  const std::string mine = file_of(&launch_reverse_tile);
  if (rename(mine.c_str(), (mine + ".old").c_str()) != 0) return;
  rename((mine + ".old").c_str(), mine.c_str());
  reverse<<<1, 256>>>(dest, src, count);
}
