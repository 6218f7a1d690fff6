#include "contract/findings/helps.h"

#include "contract/findings/sentences.h"
#include "contract/findings/shared_help.h"

namespace tmaemu {

std::string help_across_ctas(const SentenceEntry& entry) {
  return std::string(entry.help) +
         "; these two are of two CTAs of a cluster, so the readers arrive in the CTA that loads, "
         "too, and it waits with wait_cluster()";
}

std::vector<std::string> helps_of(Sentence sentence) {
  const SentenceEntry& entry = entry_of(sentence);
  std::vector<std::string> helps{std::string(entry.help)};
  if (sentence == Sentence::race_of_writes) helps.emplace_back(help_on_one_line_of_writes);
  if (sentence == Sentence::load_overwrites_product_source) {
    helps.push_back(help_across_ctas(entry));
  }
  return helps;
}

}  // namespace tmaemu
