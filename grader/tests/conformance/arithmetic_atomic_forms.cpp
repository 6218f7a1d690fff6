// PTX ISA: atom and red on a cell of the thread's own, in global and in shared memory; red.async
// and st.async. %s0 is in the cell before; the results are the old value and what is there after.
#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

// $0 is global or shared; %cell_global and %cell_shared are addresses of the thread's cell.
#define ATOM(bits)                                     \
  "st.$0.b" bits                                       \
  " [%cell_$0], %s0; atom.$0.$1 %d0, [%cell_$0], %s1;" \
  " ld.$0.b" bits " %d1, [%cell_$0];"
#define CAS(bits)                                           \
  "st.$0.b" bits                                            \
  " [%cell_$0], %s0; atom.$0.$1 %d0, [%cell_$0], %s1, %s2;" \
  " ld.$0.b" bits " %d1, [%cell_$0];"
#define RED(bits)                                \
  "st.$0.b" bits                                 \
  " [%cell_$0], %s0; red.$0.$1 [%cell_$0], %s1;" \
  " ld.$0.b" bits " %d0, [%cell_$0];"
// The mbarrier is behind the value; the thread waits until the transaction is complete. As in every
// program that has use for these, the kernel is one of clusters and `mapa` gives the addresses.
#define ASYNC(bits, bytes)                                                                      \
  ".reg .b32 %rank, %value, %mbarrier; mov.u32 %rank, %cluster_ctarank;"                        \
  " mbarrier.init.shared.b64 [%cell_shared+8], 1; st.shared.b" bits                             \
  " [%cell_shared], %s0;"                                                                       \
  " fence.mbarrier_init.release.cluster; mapa.shared::cluster.u32 %value, %cell_shared, %rank;" \
  " add.u32 %mbarrier, %value, 8;"                                                              \
  " mbarrier.arrive.expect_tx.shared.b64 _, [%cell_shared+8], " bytes                           \
  ";"                                                                                           \
  " $ [%value], %s1, [%mbarrier];"                                                              \
  " WAIT: mbarrier.try_wait.parity.shared.b64 %done, [%cell_shared+8], 0;"                      \
  " @!%done bra WAIT; ld.shared.b" bits " %d0, [%cell_shared];"

constexpr FormRow rows[] = {
    {"atom.{global,shared}.{add.u32,add.s32,min.u32,min.s32,max.u32,max.s32,inc.u32,dec.u32}",
     "b32 b32", "b32 b32", ATOM("32")},
    {"atom.{global,shared}.{and.b32,or.b32,xor.b32,exch.b32}", "b32 b32", "b32 b32", ATOM("32")},
    {"atom.{global,shared}.{add.u64,min.u64,min.s64,max.u64,max.s64}", "b64 b64", "b64 b64",
     ATOM("64")},
    {"atom.{global,shared}.{and.b64,or.b64,xor.b64,exch.b64}", "b64 b64", "b64 b64", ATOM("64")},
    {"atom.{global,shared}.{cas.b16}", "b16 b16", "b16 b16 b16", CAS("16")},
    {"atom.{global,shared}.{cas.b32}", "b32 b32", "few32 few32 b32", CAS("32")},
    {"atom.{global,shared}.{cas.b64}", "b64 b64", "few64 few64 b64", CAS("64")},
    {"atom.{global,shared}.{exch.b128}", "b128 b128", "b128 b128",
     "st.$0.v2.b64 [%cell_$0], {%s0_0, %s0_1}; atom.$0.exch.b128 %d0, [%cell_$0], %s1;"
     " ld.$0.v2.b64 {%d1_0, %d1_1}, [%cell_$0];"},
    {"atom.{global,shared}.{cas.b128}", "b128 b128", "b128 b128 b128",
     "st.$0.v2.b64 [%cell_$0], {%s0_0, %s0_1};"
     " atom.$0.cas.b128 %d0, [%cell_$0], %s1, %s2;"
     " ld.$0.v2.b64 {%d1_0, %d1_1}, [%cell_$0];"},
    {"atom.{global,shared}.{add.f32}", "f32 f32", "f32 f32", ATOM("32")},
    {"atom.{global,shared}.{add.f64}", "f64 f64", "f64 f64", ATOM("64")},
    {"atom.{global,shared}.{add.noftz.f16}", "f16 f16", "f16 f16", ATOM("16")},
    {"atom.{global,shared}.{add.noftz.bf16}", "bf16 bf16", "bf16 bf16", ATOM("16")},
    {"atom.{global,shared}.{add.noftz.f16x2}", "f16x2 f16x2", "f16x2 f16x2", ATOM("32")},
    {"atom.{global,shared}.{add.noftz.bf16x2}", "bf16x2 bf16x2", "bf16x2 bf16x2", ATOM("32")},

    {"red.{global,shared}.{add.u32,add.s32,min.u32,min.s32,max.u32,max.s32,inc.u32,dec.u32}", "b32",
     "b32 b32", RED("32")},
    {"red.{global,shared}.{and.b32,or.b32,xor.b32}", "b32", "b32 b32", RED("32")},
    {"red.{global,shared}.{add.u64,min.u64,min.s64,max.u64,max.s64}", "b64", "b64 b64", RED("64")},
    {"red.{global,shared}.{and.b64,or.b64,xor.b64}", "b64", "b64 b64", RED("64")},
    {"red.{global,shared}.{add.f32}", "f32", "f32 f32", RED("32")},
    {"red.{global,shared}.{add.f64}", "f64", "f64 f64", RED("64")},
    {"red.{global,shared}.{add.noftz.f16}", "f16", "f16 f16", RED("16")},
    {"red.{global,shared}.{add.noftz.bf16}", "bf16", "bf16 bf16", RED("16")},
    {"red.{global,shared}.{add.noftz.f16x2}", "f16x2", "f16x2 f16x2", RED("32")},
    {"red.{global,shared}.{add.noftz.bf16x2}", "bf16x2", "bf16x2 bf16x2", RED("32")},

    // Vectors, in global memory.
    {"atom.global.v2.f32.add", "f32 f32 f32 f32", "f32 f32 f32 f32",
     "st.global.v2.b32 [%cell_global], {%s0, %s1};"
     " atom.global.v2.f32.add {%d0, %d1}, [%cell_global], {%s2, %s3};"
     " ld.global.v2.b32 {%d2, %d3}, [%cell_global];"},
    {"atom.global.v4.f32.add", "f32 f32 f32 f32", "f32 f32 f32 f32",
     "st.global.v4.b32 [%cell_global], {%s0, %s1, %s2, %s3};"
     " atom.global.v4.f32.add {%d0, %d1, %d2, %d3}, [%cell_global], {%s1, %s2, %s3, %s0};"},
    {"red.global.v4.f32.add", "f32 f32 f32 f32", "f32 f32 f32 f32",
     "st.global.v4.b32 [%cell_global], {%s0, %s1, %s2, %s3};"
     " red.global.v4.f32.add [%cell_global], {%s1, %s2, %s3, %s0};"
     " ld.global.v4.b32 {%d0, %d1, %d2, %d3}, [%cell_global];"},
    {"atom.global.v2.{f16,bf16}.{add,min,max}.noftz", "b16 b16 b16 b16", "f16 f16 f16 f16",
     "st.global.v2.b16 [%cell_global], {%s0, %s1};"
     " $ {%d0, %d1}, [%cell_global], {%s2, %s3};"
     " ld.global.v2.b16 {%d2, %d3}, [%cell_global];"},
    {"red.global.v4.{f16,bf16}.{add,min,max}.noftz", "b16 b16 b16 b16", "f16 f16 f16 f16",
     "st.global.v4.b16 [%cell_global], {%s0, %s1, %s2, %s3};"
     " $ [%cell_global], {%s3, %s2, %s1, %s0};"
     " ld.global.v4.b16 {%d0, %d1, %d2, %d3}, [%cell_global];"},
    {"atom.global.v2.{f16x2,bf16x2}.{add,min,max}.noftz", "b32 b32 b32 b32",
     "f16x2 f16x2 bf16x2 bf16x2",
     "st.global.v2.b32 [%cell_global], {%s0, %s2};"
     " $ {%d0, %d1}, [%cell_global], {%s1, %s3};"
     " ld.global.v2.b32 {%d2, %d3}, [%cell_global];"},
    {"red.global.v4.{f16x2,bf16x2}.{add,min,max}.noftz", "b32 b32 b32 b32",
     "f16x2 f16x2 bf16x2 bf16x2",
     "st.global.v4.b32 [%cell_global], {%s0, %s1, %s2, %s3};"
     " $ [%cell_global], {%s1, %s0, %s3, %s2};"
     " ld.global.v4.b32 {%d0, %d1, %d2, %d3}, [%cell_global];"},

    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
     ".{inc.u32,dec.u32,min.u32,max.u32,add.u32,min.s32,max.s32,add.s32,and.b32,or.b32,xor.b32}",
     "b32", "b32 b32", ASYNC("32", "4")},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64", "b64",
     "b64 b64", ASYNC("64", "8")},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.{b32,u32,s32,f32}", "b32", "b32 b32",
     ASYNC("32", "4")},
    {"st.async.shared::cluster.mbarrier::complete_tx::bytes.{b64,u64,s64,f64}", "b64", "b64 b64",
     ASYNC("64", "8")},
};

}  // namespace

std::vector<Form> atomic_forms() {
  return forms_of(rows);
}

}  // namespace conformance
