// fence.proxy in its forms: which generic writes to shared memory a TMA store sees behind each.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/emulator/diagnosed_kernel.h"

namespace tmaemu::testing {
namespace {

constexpr std::uint32_t written = 0x600D;

// A thread writes its own shared memory, or with a cluster of two that of the other CTA, executes
// the fences, and has the TMA engine store what is there.
struct Stored {
  Diagnosed kernel;
  bool is_what_was_written = false;
};

Stored store_behind(const std::string& fences, bool to_other_cta = false) {
  DeviceBuffer out(16);
  *out.host() = 0;
  const std::string prepare = to_other_cta ? "mapa.shared::cluster.u32 %at, %at, 1;\n" : "";
  Stored stored;
  stored.kernel = diagnose(
      {.text = ".reg .b32 %at, %own, %rank; .reg .b64 %out; .reg .pred %p;\n"
               ".shared .align 128 .b8 tile[128];\nld.param.u64 %out, [out];\n"
               "mov.u32 %own, tile; mov.u32 %at, %own; mov.u32 %rank, %cluster_ctarank;\n" +
               prepare +
               "barrier.cluster.arrive; barrier.cluster.wait;\n"
               "setp.ne.u32 %p, %rank, 0;\n@%p bra MEET;\n"
               "st.shared::cluster.v4.u32 [%at], {24589, 24589, 24589, 24589};\n" +
               fences +
               "\nMEET:\nbarrier.cluster.arrive; barrier.cluster.wait;\n"
               "setp.ne.u32 %p, %rank, " +
               std::string(to_other_cta ? "1" : "0") +
               ";\n@%p bra END;\n"
               "cp.async.bulk.global.shared::cta.bulk_group [%out], [%own], 16;\n"
               "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
               "END:\nbarrier.cluster.arrive; barrier.cluster.wait;\n",
       .parameter = out.address(),
       .cluster = to_other_cta ? 2u : 1u});
  stored.is_what_was_written = static_cast<std::uint32_t>(*out.host()) == written;
  return stored;
}

void expect_visible(const std::string& fences, bool to_other_cta = false) {
  const Stored stored = store_behind(fences, to_other_cta);
  EXPECT_EQ(stored.kernel.outcome, LaunchOutcome::completed) << stored.kernel.said;
  EXPECT_TRUE(stored.is_what_was_written) << fences;
  EXPECT_EQ(stored.kernel.said, "");
}

void expect_stale(const std::string& fences, bool to_other_cta = false) {
  const Stored stored = store_behind(fences, to_other_cta);
  EXPECT_EQ(stored.kernel.outcome, LaunchOutcome::completed) << stored.kernel.said;
  EXPECT_FALSE(stored.is_what_was_written) << fences;
  EXPECT_NE(stored.kernel.said.find("[missing-proxy-fence]"), std::string::npos) << fences;
}

TEST(AsyncProxyFence, WithoutASpaceIsOfAllSharedMemory) {
  expect_visible("fence.proxy.async;");
  expect_visible("fence.proxy.async;", true);
}

TEST(AsyncProxyFence, OfSharedMemoryOfTheCtaIsOfItsOwn) {
  expect_visible("fence.proxy.async.shared::cta;");
  expect_stale("fence.proxy.async.shared::cta;", true);
}

TEST(AsyncProxyFence, OfSharedMemoryOfTheClusterIsOfOtherCtas) {
  expect_visible("fence.proxy.async.shared::cluster;");
  expect_visible("fence.proxy.async.shared::cluster;", true);
}

TEST(AsyncProxyFence, OfGlobalMemoryIsNoneOfSharedMemory) {
  expect_stale("fence.proxy.async.global;");
}

TEST(AsyncProxyFence, OneWayIsMadeByItsRelease) {
  expect_visible("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;");
  expect_stale("fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;");
}

TEST(AsyncProxyFence, IsNoOtherFence) {
  for (const char* fence :
       {"fence.proxy.alias;", "fence.sc.sys;", "membar.gl;", "membar.proxy.alias;",
        "fence.mbarrier_init.release.cluster;", "fence.release.sync_restrict::shared::cta.cluster;",
        "fence.proxy.tensormap::generic.release.gpu;"}) {
    expect_stale(fence);
  }
}

// As on an H200, which has the bytes without the fence that PTX asks for.
TEST(AsyncProxyFence, ThatIsMissingBehindCpAsyncIsToldAndTheCopyIsSeen) {
  DeviceBuffer buffer(32);
  buffer.host()[0] = written;
  const Diagnosed kernel =
      diagnose({.text = ".reg .b64 %in, %out; .shared .align 128 .b8 tile[128];\n"
                        "ld.param.u64 %in, [out]; add.u64 %out, %in, 16;\n"
                        "cp.async.cg.shared.global [tile], [%in], 16;\ncp.async.wait_all;\n"
                        "cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;\n"
                        "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n",
                .parameter = buffer.address()});
  EXPECT_EQ(kernel.outcome, LaunchOutcome::completed) << kernel.said;
  EXPECT_EQ(buffer.host()[2], written);
  EXPECT_NE(kernel.said.find("[missing-proxy-fence]"), std::string::npos) << kernel.said;
}

}  // namespace
}  // namespace tmaemu::testing
