// PTX ISA: instructions of a whole warp. %takes_part is whether the lane is in the member mask that
// is among the operands.
#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

#define LOAD_MATRICES "st.shared.v4.b32 [%cell_shared], {%s0, %s1, %s2, %s3}; bar.warp.sync -1;"
#define CLEAR_ROW                                                          \
  "mov.b32 %d0, 0; st.shared.v4.b32 [%cell_shared], {%d0, %d0, %d0, %d0};" \
  " bar.warp.sync -1;"
#define LOAD_ROW " bar.warp.sync -1; ld.shared.v4.b32 {%d0, %d1, %d2, %d3}, [%cell_shared];"

constexpr FormRow rows[] = {
    {"vote.sync.{all,any,uni}.pred", "pred", "pred members",
     "@%takes_part vote.sync.$0.pred %d0, %s0, %s1;"},
    {"vote.sync.{all,any,uni}.pred !p", "pred", "pred members",
     "@%takes_part vote.sync.$0.pred %d0, !%s0, %s1;"},
    {"vote.sync.ballot.b32", "b32", "pred members", "@%takes_part $ %d0, %s0, %s1;"},
    {"match.any.sync.b32", "b32", "few32 members", "@%takes_part $ %d0, %s0, %s1;"},
    {"match.any.sync.b64", "b32", "few64 members", "@%takes_part $ %d0, %s0, %s1;"},
    {"match.all.sync.b32", "b32 pred", "few32 members", "@%takes_part $ %d0|%d1, %s0, %s1;"},
    {"match.all.sync.b64", "b32 pred", "few64 members", "@%takes_part $ %d0|%d1, %s0, %s1;"},
    {"redux.sync.{add,min,max}.{u32,s32}", "b32", "b32 members", "@%takes_part $ %d0, %s0, %s1;"},
    {"redux.sync.{and,or,xor}.b32", "b32", "b32 members", "@%takes_part $ %d0, %s0, %s1;"},
    {"shfl.sync.{up,down,bfly,idx}.b32", "b32 pred", "b32 amount b32",
     "$ %d0|%d1, %s0, %s1, %s2, -1;"},
    {"elect.sync", "b32 pred", "members", "@%takes_part elect.sync %d0|%d1, %s0;"},
    {"activemask.b32", "b32", "b32", "activemask.b32 %d0;"},

    {"ldmatrix.sync.aligned.m8n8.x1{,.trans}.shared.b16", "b32", "b32 b32 b32 b32",
     LOAD_MATRICES "$ {%d0}, [%cell_shared];"},
    {"ldmatrix.sync.aligned.m8n8.x2{,.trans}.shared.b16", "b32 b32", "b32 b32 b32 b32",
     LOAD_MATRICES "$ {%d0, %d1}, [%cell_shared];"},
    {"ldmatrix.sync.aligned.m8n8.x4{,.trans}.shared.b16", "b32 b32 b32 b32", "b32 b32 b32 b32",
     LOAD_MATRICES "$ {%d0, %d1, %d2, %d3}, [%cell_shared];"},
    {"stmatrix.sync.aligned.m8n8.x1{,.trans}.shared.b16", "b32 b32 b32 b32", "b32",
     CLEAR_ROW "$ [%cell_shared], {%s0};" LOAD_ROW},
    {"stmatrix.sync.aligned.m8n8.x2{,.trans}.shared.b16", "b32 b32 b32 b32", "b32 b32",
     CLEAR_ROW "$ [%cell_shared], {%s0, %s1};" LOAD_ROW},
    {"stmatrix.sync.aligned.m8n8.x4{,.trans}.shared.b16", "b32 b32 b32 b32", "b32 b32 b32 b32",
     CLEAR_ROW "$ [%cell_shared], {%s0, %s1, %s2, %s3};" LOAD_ROW},
    {"movmatrix.sync.aligned.m8n8.trans.b16", "b32", "b32"},

    // Addresses, relative to the thread's own in shared memory. %cluster_ctarank makes it a kernel
    // of clusters of two CTAs.
    {"mapa.shared::cluster.u32 getctarank", "b32 b32 b32", "b32",
     ".reg .b32 %own; and.b32 %word, %s0, 1; mapa.shared::cluster.u32 %d0, %cell_shared, %word;"
     " getctarank.shared::cluster.u32 %d1, %d0; mov.u32 %own, %cluster_ctarank;"
     " mapa.shared::cluster.u32 %d2, %cell_shared, %own; getctarank.shared::cluster.u32 %d2, %d2;"
     " sub.u32 %d0, %d0, %cell_shared;"},
    {"mapa.u64 getctarank.u64", "b64 b32", "b32",
     ".reg .b64 %own; and.b32 %word, %s0, 1; cvt.u64.u32 %own, %cell_shared;"
     " cvta.shared.u64 %own, %own; mapa.u64 %d0, %own, %word; getctarank.u64 %d1, %d0;"
     " mov.u32 %word, %cluster_ctarank; sub.u64 %d0, %d0, %own;"},
    {"cvta.shared.u64 cvta.to.shared.u64", "b64", "b32",
     ".reg .b64 %at; cvt.u64.u32 %at, %cell_shared; cvta.shared.u64 %d0, %at;"
     " cvta.to.shared.u64 %d0, %d0; sub.u64 %d0, %d0, %at;"},
    {"isspacep", "pred pred pred pred pred", "b32",
     ".reg .b64 %at; cvt.u64.u32 %at, %cell_shared; cvta.shared.u64 %at, %at;"
     " isspacep.shared %d0, %at; isspacep.global %d1, %cell_global; isspacep.local %d2, %at;"
     " isspacep.shared::cluster %d3, %at; isspacep.shared %d4, %cell_global;"},
};

}  // namespace

std::vector<Form> warp_forms() {
  return forms_of(rows);
}

}  // namespace conformance
