#include <gtest/gtest.h>

#include "judge/verdict/verdict.h"

namespace {

using tmaemu::Measure;

TEST(Way, OfSeveralCasesBytesAddUpAndTheLargestClusterAndCtaCount) {
  judge::Way sum;
  for (const std::uint64_t count : {2, 3, 1}) {
    judge::Way one;
    one.output_bytes = 100;
    for (const Measure measure :
         {Measure::by_wgmma, Measure::cluster_ctas, Measure::grown_warpgroups}) {
      one.measured[index_of(measure)] = count;
    }
    sum += one;
  }
  EXPECT_EQ(sum.output_bytes, 300u);
  EXPECT_EQ(sum.measured[index_of(Measure::by_wgmma)], 6u);
  EXPECT_EQ(sum.measured[index_of(Measure::cluster_ctas)], 3u);
  EXPECT_EQ(sum.measured[index_of(Measure::grown_warpgroups)], 3u);
}

}  // namespace
