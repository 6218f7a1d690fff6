// The tests of lab9-clusters that students have too.
#include "checks/lab9-clusters/bandwidth.h"
#include "checks/lab9-clusters/cases.h"

namespace lab9 {

TEST_P(ClusterMulticast, BringsTheTileToEveryCta) {
  examine_multicast();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, ClusterMulticast, testing::Values(0, 1, 3, 200),
                         name_of_count);

// Some of the matrices end within a slice, within a piece, and within the rows of a cluster.
TEST_P(RowBroadcast, FillsEveryRow) {
  examine_broadcast();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, RowBroadcast,
                         testing::Values(Matrix{0, 4096}, Matrix{5, 0}, Matrix{1, 4},
                                         Matrix{64, 4096}, Matrix{3, 1024}, Matrix{65, 2052},
                                         Matrix{100, 4100}, Matrix{257, 12'284}, Matrix{5, 40'004}),
                         name_of_matrix);

TEST_P(Rotate, BringsEveryTileToItsPlace) {
  examine_rotate();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, Rotate,
                         testing::Values(Journey{0, 1}, Journey{4, 0}, Journey{4, 1}, Journey{4, 2},
                                         Journey{8, 4}, Journey{100, 3}, Journey{12, 21}),
                         name_of_journey);

TEST_P(AddRow, AddsTheRowToEveryRow) {
  examine_add_row();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, AddRow,
                         testing::Values(Matrix{0, 1024}, Matrix{4, 1024}, Matrix{8, 3072},
                                         Matrix{100, 2048}),
                         name_of_matrix);

TEST_P(CtaPair, AddsTheTilesOfBothCtas) {
  examine_pairs();
}
INSTANTIATE_TEST_SUITE_P(lab9_clusters, CtaPair, testing::Values(0, 1, 2, 75), name_of_count);

// A matrix of 512 MiB: ten times the L2 cache of an H200. The row is read from the cache, so what
// is moved is nearly all written.
class lab9_clusters_bandwidth : public judge::Check {};
TEST_F(lab9_clusters_bandwidth, RowBroadcast) {
  constexpr std::size_t rows = 8192;
  constexpr std::size_t columns = 16384;
  constexpr std::size_t row_bytes = columns * sizeof(std::uint32_t);
  const auto matrix = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[0]);
  };
  const auto row = [](judge::BandwidthCase::Set set) {
    return static_cast<std::uint32_t*>(set[1]);
  };
  measure({parts::row_broadcast,
           {rows * row_bytes, row_bytes},
           {judge::TimedBuffer{0}, judge::TimedBuffer{1}, number(rows), number(columns)},
           (rows + 1) * row_bytes,
           [=](judge::BandwidthCase::Set set, std::uint64_t seed) {
             const cudaError_t error = judge::fill_words(matrix(set), rows * columns, ~seed);
             return error == cudaSuccess ? judge::fill_words(row(set), columns, seed) : error;
           },
           [=](judge::BandwidthCase::Set set, std::uint64_t seed, judge::Mismatches* result) {
             return check_rows(matrix(set), rows, columns, seed, result);
           }});
}

}  // namespace lab9
