// Further cases of lab9-clusters, which only the grader has: `make release` leaves this file out.
#include "checks/lab9-clusters/cases.h"

namespace lab9 {

INSTANTIATE_TEST_SUITE_P(lab9_clusters, ClusterMulticast, testing::Values(2, 133), name_of_count);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, RowBroadcast,
                         testing::Values(Matrix{1, 4096}, Matrix{63, 1028}, Matrix{130, 8188},
                                         Matrix{1000, 500}, Matrix{18, 16'388}),
                         name_of_matrix);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, Rotate,
                         testing::Values(Journey{8, 0}, Journey{4, 7}, Journey{160, 2}),
                         name_of_journey);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, AddRow, testing::Values(Matrix{12, 4096}), name_of_matrix);

INSTANTIATE_TEST_SUITE_P(lab9_clusters, CtaPair, testing::Values(3, 140), name_of_count);

}  // namespace lab9
