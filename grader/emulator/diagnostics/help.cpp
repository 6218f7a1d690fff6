#include "emulator/diagnostics/help.h"

#include <string_view>

#include "contract/findings/helps.h"
#include "contract/findings/ptx_names.h"
#include "contract/findings/sentences.h"
#include "contract/findings/shared_help.h"

namespace tmaemu {
namespace {

// What a warp's wgmma reads, the other warps' wgmma read, too: all that write it have to meet.
bool is_of_warpgroup(Sentence sentence) {
  return sentence == Sentence::product_reads_unsynchronized ||
         sentence == Sentence::product_reads_copy_in_flight;
}

// Where the thread of the finding and that of its first note can meet.
std::string_view meeting_of(const Finding& finding, const Places& places) {
  constexpr std::string_view of_cta = "__syncthreads()";
  if (finding.notes.empty()) return of_cta;
  const Note& other = finding.notes.front();
  if (other.launch != 0) return of_cta;
  if (other.cta != finding.cta) {
    return places.are_of_one_cluster(finding.cta, other.cta)
               ? "cluster_arrive() and cluster_wait(), or an mbarrier and wait_cluster()"
               : "a flag that is released and acquired at the scope of the GPU, or two kernels";
  }
  const bool is_of_one_warp = other.thread.index / warp_size == finding.thread.index / warp_size;
  if (is_of_one_warp && !is_of_warpgroup(finding.sentence)) return "__syncwarp()";
  // Warps that have roles do not come to a barrier of all threads.
  if (!places.is_on_one_way(finding.site, other.site)) {
    return "an mbarrier, or a named barrier that counts those who come";
  }
  return of_cta;
}

// Who alone should issue what the thread of the finding and that of its first note both issue.
std::string_view issuer_of(const Finding& finding, const Places& places) {
  constexpr std::string_view of_warp =
      "`if (threadIdx.x == 0)`, or, where the whole warp comes, the lane that elect_one_lane() "
      "(elect.sync) chooses";
  if (finding.notes.empty()) return of_warp;
  const Note& other = finding.notes.front();
  if (other.cta != finding.cta) {
    return places.are_of_one_cluster(finding.cta, other.cta)
               ? "these two are of two CTAs of a cluster, so ask for the rank, `if (cluster_rank() "
                 "== "
                 "0)`, beside the thread"
               : "these two are of two CTAs, so ask for the CTA by its blockIdx, beside the thread";
  }
  if (other.thread.index / warp_size == finding.thread.index / warp_size) return of_warp;
  return "these two are of two warps, and elect_one_lane() (elect.sync) chooses a lane in each, so "
         "ask for the warp, too, `if (threadIdx.x / 32 == 0 && ...)`, or for `threadIdx.x == 0` "
         "alone";
}

bool is_one_line_of_writes(const Finding& finding, const Places& places) {
  if (finding.sentence != Sentence::race_of_writes || finding.notes.empty()) return false;
  const Note& other = finding.notes.front();
  return other.launch == 0 && places.line(finding.site) == places.line(other.site);
}

// A wait at the scope of the CTA orders nothing of what threads of another CTA did.
bool lacks_cluster_wait(const Finding& finding, const Places& places) {
  return finding.sentence == Sentence::load_overwrites_product_source && !finding.notes.empty() &&
         places.are_of_one_cluster(finding.cta, finding.notes.front().cta) &&
         finding.cta != finding.notes.front().cta;
}

// The text with `word`, if it has it, in place of the name in braces.
void fill(std::string& text, std::string_view name, std::string_view word) {
  if (const std::size_t place = text.find(name); place != std::string::npos) {
    text.replace(place, name.size(), word);
  }
}

}  // namespace

std::string help_of(const Finding& finding, const Places& places) {
  std::string help(entry_of(finding.sentence).help);
  if (is_one_line_of_writes(finding, places)) help = help_on_one_line_of_writes;
  if (lacks_cluster_wait(finding, places)) help = help_across_ctas(entry_of(finding.sentence));
  fill(help, "{barrier}", meeting_of(finding, places));
  fill(help, "{issuer}", issuer_of(finding, places));
  return places.uses_course_header() ? help : in_ptx(help);
}

}  // namespace tmaemu
