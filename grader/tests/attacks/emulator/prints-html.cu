// Ends with words that would be a program in the browser of whoever reads the report.
//
// Fails: the report escapes what is not its own.
#include <cstdio>
#include <cstdlib>

void launch_reverse_tile(int*, const int*, int) {
  std::fputs(
      "</td></pre></details><script>document.title='tma-attack'</script><img src=x "
      "onerror=alert(1)>\n",
      stderr);
  std::fflush(stderr);
  std::abort();
}
