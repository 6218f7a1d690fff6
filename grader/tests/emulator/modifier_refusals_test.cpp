// Modifiers that change what an instruction does, or where: each is refused by its name where the
// emulator would have to do something else for it.
#include <gtest/gtest.h>

#include <string>

#include "tests/emulator/decoded_kernel.h"

namespace tmaemu::testing {
namespace {

struct Refused {
  const char* instruction;
  const char* why;
};

void expect_refused(const Refused& refused) {
  const std::string reason = refusal_of(refused.instruction);
  EXPECT_NE(reason.find(refused.why), std::string::npos)
      << "\"" << reason << "\" for " << refused.instruction;
}

// "x.y.z has the modifier .y, which is not modeled here"
void expect_left(const std::string& modifier, const std::string& instruction) {
  const std::string mnemonic = instruction.substr(0, instruction.find(' '));
  expect_refused(
      {instruction.c_str(),
       (mnemonic + " has the modifier ." + modifier + ", which is not modeled").c_str()});
}

TEST(RefusedModifier, ChangesTheValue) {
  expect_left("noftz", "atom.global.add.noftz.f32 %r1, [%l1], %r2");
  expect_left("noftz",
              "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f32 [%l1], [%r2], %r3");
  expect_left("noftz",
              "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.noftz.f16 [%l1], [%r2], %r3");
  expect_left("ftz", "add.ftz.f64 %l1, %l2, %l3");
  expect_left("ftz", "ex2.approx.ftz.f16 %h1, %h2");
  expect_left("sat", "add.sat.u32 %r1, %r2, %r3");
  expect_left("sat", "min.sat.s32 %r1, %r2, %r3");
  expect_left("sat", "mul.lo.sat.s32 %r1, %r2, %r3");
  expect_left("sat", "div.rn.sat.f32 %r1, %r2, %r3");
  expect_left("relu", "add.relu.f16 %h1, %h2, %h3");
  expect_left("relu", "max.relu.f16 %h1, %h2, %h3");
  expect_left("relu", "cvt.rn.relu.f32.f64 %r1, %l2");
  expect_left("satfinite", "cvt.rzi.satfinite.s32.f32 %r1, %r2");
  expect_left("satfinite", "cvt.rm.satfinite.f16.f32 %h1, %r2");
  expect_refused({"fma.rn.oob.f32 %r1, %r2, %r3, %r4", "fma.rn.oob.f32 names no type that is"});
  expect_left("approx", "add.approx.f32 %r1, %r2, %r3");
  expect_left("abs", "min.abs.f32 %r1, %r2, %r3");
  expect_left("cc", "mul.lo.cc.u32 %r1, %r2, %r3");
  expect_left("cc", "setp.lt.cc.s32 %p1, %r2, %r3");
}

TEST(RefusedModifier, ChangesWhatIsCopied) {
  expect_left("cp_mask",
              "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%l1], [%r2], %r3, %h1");
  expect_left("unicast",
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.unicast "
              "[%r1], [%l2], %r3, [%r4]");
  expect_left("multicast::cluster",
              "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster "
              "[%r1], [%l2], %r3, [%r4]");
  expect_left("multicast::cluster::all",
              "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes"
              ".multicast::cluster::all [%r1], [%l2, {%r3}], [%r4]");
  for (const std::string mode : {"im2col::w", "im2col::w::128", "tile::gather4"}) {
    expect_left(mode, "cp.async.bulk.tensor.3d.shared::cta.global." + mode +
                          ".mbarrier::complete_tx::bytes [%r1], [%l2, {%r3, %r4, %r5}], [%r6]");
  }
  expect_left("tile::scatter4",
              "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%l1, {%r2, "
              "%r3}], [%r4]");
  expect_left("im2col",
              "cp.async.bulk.tensor.3d.global.shared::cta.im2col.bulk_group [%l1, {%r2, "
              "%r3, %r4}], [%r5]");
  expect_left("ignore_oob",
              "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [%r1], "
              "[%l2], %r3, [%r4]");
}

TEST(RefusedModifier, ChangesWhoWaitsForWhat) {
  expect_left("read", "cp.async.wait_group.read 1");
  expect_left("read", "cp.async.bulk.commit_group.read");
  expect_left("noinc", "mbarrier.arrive.noinc.b64 _, [%l1]");
  expect_left("noComplete", "mbarrier.arrive.expect_tx.noComplete.b64 _, [%l1], %r2");
  expect_left("parity", "mbarrier.arrive.parity.b64 _, [%l1]");
  expect_left("expect_tx", "mbarrier.try_wait.expect_tx.b64 %p1, [%l1], %l2");
  expect_left("relaxed", "barrier.cluster.wait.relaxed");
  expect_left("uni", "exit.uni");
  expect_left("uni", "setp.lt.uni.s32 %p1, %r2, %r3");
  expect_left("sync", "bar.sync.arrive 0");
  expect_left("generic", "fence.proxy.async.generic");
  expect_left("shared::cta", "fence.proxy.async.global.shared::cta");
  expect_left("global", "fence.proxy.alias.global");
  expect_left("sys", "fence.proxy.async.sys");
  expect_left("acquire", "st.acquire.gpu.global.u32 [%l1], %r1");
  expect_left("shared::cta", "mapa.shared::cta.u32 %r1, %r2, %r3");
}

TEST(RefusedModifier, IsThereTwice) {
  expect_refused({"red.global.add.add.u32 [%l1], %r2", "has the modifier .add twice"});
  expect_refused({"ld.global.global.u32 %r1, [%l2]", "has the modifier .global twice"});
  expect_refused({"add.ftz.ftz.f32 %r1, %r2, %r3", "has the modifier .ftz twice"});
  expect_refused({"fence.sc.gpu.gpu", "has the modifier .gpu twice"});
  expect_refused({"bar.warp.sync.sync %r1", "has the modifier .sync twice"});
}

TEST(RefusedModifier, ContradictsAnother) {
  expect_left("shared", "ld.global.shared.u32 %r1, [%l2]");
  expect_left("u32", "ld.global.u32.s32 %r1, [%l2]");
  expect_left("min", "red.global.add.min.u32 [%l1], %r2");
  expect_left("rz", "add.rn.rz.f32 %r1, %r2, %r3");
  expect_left("gpu", "fence.sc.gpu.cta");
  expect_left("L2::128B", "ld.global.L2::64B.L2::128B.u32 %r1, [%l2]");
  expect_left("v4", "ld.global.v2.v4.u32 {%r1, %r2}, [%l2]");
  expect_left("any", "vote.sync.all.any.pred %p1, %p2, %r3");
  expect_left("cta_group::2",
              "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes"
              ".cta_group::1.cta_group::2 [%r1], [%l2, {%r3}], [%r4]");
}

TEST(LackingModifier, IsSaid) {
  const Refused lacking[] = {
      {"atom.global.add.f16x2 %r1, [%l1], %r2", "lacks the modifier .noftz"},
      {"ld.relaxed.global.u32 %r1, [%l2]", "names no scope"},
      {"mbarrier.arrive.release.b64 _, [%l1]", "names no scope"},
      {"fence.sc", "names no scope"},
      {"min.xorsign.f32 %r1, %r2, %r3", "lacks the modifier .abs"},
      {"vote.sync.pred %p1, %p2, %r3", "names no mode"},
      {"cp.async.bulk.global.shared::cta [%l1], [%r2], %r3", "lacks the modifier .bulk_group"},
      {"cp.async.bulk.tensor.global.shared::cta.bulk_group [%l1, {%r2}], [%r3]", "names no rank"},
      {"nanosleep %r1", "lacks the modifier .u32"},
      {"createpolicy.fractional.b64 %l1", "names no primary priority"},
  };
  for (const Refused& refused : lacking) expect_refused(refused);
}

// Operands that belong to a modifier are there with it, and only with it.
TEST(ModifiersOperand, IsCounted) {
  const Refused wrong[] = {
      {"ld.global.L2::cache_hint.u32 %r1, [%l2]", "has an operand of a kind"},
      {"ld.global.u32 %r1, [%l2], %l3", "has 3 operands, and 2 are expected"},
      {"cp.async.bulk.global.shared::cta.bulk_group [%l1], [%r2], %r3, %l4",
       "has 4 operands, and 3 are expected"},
      {"ld.global.v2.u32 %r1, [%l2]", "vector of an unexpected length"},
      {"ld.global.u32 {%r1, %r2}, [%l2]", "vector of an unexpected length"},
      {"match.any.sync.b32 %r1|%p1, %r2, %r3", "has a second destination"},
      {"add.u32 %r1|%r2, %r3, %r4", "has a second destination"},
  };
  for (const Refused& refused : wrong) expect_refused(refused);
}

}  // namespace
}  // namespace tmaemu::testing
