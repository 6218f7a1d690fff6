// Ends with bytes that are no UTF-8, a zero, characters that reverse the direction of writing, and
// lone surrogates.
//
// Fails: what is not text is replaced.
#include <cstdio>
#include <cstdlib>

void launch_reverse_tile(int*, const int*, int) {
  const char words[] =
      "\xFF\xFE\x00\xC0\xAF\xED\xA0\x80 \xE2\x80\xAE 001/001 \xE2\x80\xAC \xF4\x90\x80\x80\n";
  std::fwrite(words, 1, sizeof words - 1, stderr);
  std::fflush(stderr);
  std::abort();
}
