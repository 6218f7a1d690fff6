// Which helps a finding may give. Most sentences have one; some have another where the finding's
// threads are so that it would lead astray.
#pragma once

#include <string>
#include <vector>

#include "contract/findings/finding_codes.h"

namespace tmaemu {

// The registry's, of a load over what threads of another CTA of the cluster read.
std::string help_across_ctas(const SentenceEntry& entry);

// All of a sentence, as patterns.
std::vector<std::string> helps_of(Sentence sentence);

}  // namespace tmaemu
