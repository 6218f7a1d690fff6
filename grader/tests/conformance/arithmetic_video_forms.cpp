// PTX ISA, "Video Instructions": of a part of a register, and of all its halves or bytes.
#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

constexpr FormRow rows[] = {
    // Scalars: the forms of which ptxas makes what PTX says.
    {"{vadd,vsub,vabsdiff,vmin,vmax}.{u32,s32}.{u32,s32}.{u32,s32}", "b32", "b32 b32"},
    {"{vadd,vsub,vmax}.{u32,s32}.{u32,s32}.{u32,s32}.add", "b32", "b32 b32 b32"},
    // Parts of the operands, and a part of the result, the rest of which is the third operand's.
    {"vadd.s32.{u32,s32}.{u32,s32} of {.b0,.b1,.b2,.b3,.h0,.h1} and {.b2,.h1}", "b32", "b32 b32",
     "vadd.s32.$0.$1 %d0, %s0$2, %s1$3;"},
    {"{vsub,vabsdiff}.{u32,s32}.s32.u32 of .b1 and .h0 .add", "b32", "b32 b32 b32",
     "$0.$1.s32.u32.add %d0, %s0.b1, %s1.h0, %s2;"},
    {"{vadd,vmin}.{u32,s32}.s32.{u32,s32} to {.b0,.b1,.b2,.b3,.h0}", "b32", "b32 b32 b32",
     "$0.$1.s32.$2 %d0$3, %s0, %s1, %s2;"},
    {"{vshl,vshr}.{u32,s32}.{u32,s32}.u32{.clamp,.wrap}", "b32", "b32 amount"},
    {"{vshl,vshr}.{u32,s32}.s32.u32{.clamp,.wrap}.add", "b32", "b32 amount b32"},
    {"{vshl,vshr}.{u32,s32}.{u32,s32}.u32.clamp of .b1 and .b0", "b32", "b32 amount",
     "$0.$1.$2.u32.clamp %d0, %s0.b1, %s1.b0;"},
    {"{vshl,vshr}.{u32,s32}.s32.u32.wrap to {.b3,.h0}", "b32", "b32 amount b32",
     "$0.$1.s32.u32.wrap %d0$2, %s0, %s1, %s2;"},
    {"vset.{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}", "b32", "b32 b32"},
    {"vset.{u32,s32}.s32.{lt,ge}.add", "b32", "b32 b32 b32"},
    {"vset.{u32,s32}.u32.{ne,lt} of .b3 and .h1 to .b1", "b32", "b32 b32 b32",
     "vset.$0.u32.$1 %d0.b1, %s0.b3, %s1.h1, %s2;"},
    // The type of the result follows from the types and signs of the operands.
    {"vmad.u32.u32.u32", "b32", "b32 b32 b32"},
    {"vmad.s32.{u32.s32,s32.u32,s32.s32}", "b32", "b32 b32 b32"},
    {"vmad.s32.{u32.u32,u32.s32,s32.s32} -a", "b32", "b32 b32 b32",
     "vmad.s32.$0 %d0, -%s0, %s1, %s2;"},
    {"vmad.s32.{u32.u32,s32.u32,s32.s32} -c", "b32", "b32 b32 b32",
     "vmad.s32.$0 %d0, %s0, %s1, -%s2;"},
    {"vmad.{u32.u32.u32,s32.s32.u32,s32.s32.s32}.po", "b32", "b32 b32 b32"},
    {"vmad.s32.{u32,s32}.s32 of {.b0,.b3,.h1} and {.b1,.h0}", "b32", "b32 b32 b32",
     "vmad.s32.$0.s32 %d0, %s0$1, %s1$2, %s2;"},

    // Halves and bytes.
    {"{vadd,vsub,vavrg,vabsdiff,vmin,vmax}{2,4}.{u32,s32}.{u32,s32}.s32{,.sat,.add}", "b32",
     "b32 b32 b32"},
    {"vset{2,4}.{u32,s32}.{u32,s32}{.eq,.lt,.ge}{,.add}", "b32", "b32 b32 b32"},
    {"{vadd,vabsdiff,vmax}2.s32.s32.u32{,.sat,.add} to {.h0,.h1,.h10}", "b32", "b32 b32 b32",
     "$02.s32.s32.u32$1 %d0$2, %s0, %s1, %s2;"},
    {"vsub2.s32.u32.s32{,.sat,.add} of {.h00,.h13,.h21,.h32} and {.h01,.h30,.h22}", "b32",
     "b32 b32 b32", "vsub2.s32.u32.s32$0 %d0, %s0$1, %s1$2, %s2;"},
    {"{vadd,vavrg,vmin}4.s32.u32.s32{,.sat,.add} to {.b0,.b2,.b31,.b320,.b3210}", "b32",
     "b32 b32 b32", "$04.s32.u32.s32$1 %d0$2, %s0, %s1, %s2;"},
    {"vabsdiff4.u32.s32.u32{,.sat,.add} of {.b0000,.b3210,.b7531,.b0246} and {.b7654,.b1357}",
     "b32", "b32 b32 b32", "vabsdiff4.u32.s32.u32$0 %d0, %s0$1, %s1$2, %s2;"},
    {"vset2.s32.u32.lt{,.add} of .h20 and .h31 to {.h0,.h1}", "b32", "b32 b32 b32",
     "vset2.s32.u32.lt$0 %d0$1, %s0.h20, %s1.h31, %s2;"},
    {"vset4.u32.s32.gt{,.add} of .b6420 and .b1234 to {.b1,.b20}", "b32", "b32 b32 b32",
     "vset4.u32.s32.gt$0 %d0$1, %s0.b6420, %s1.b1234, %s2;"},
};

}  // namespace

std::vector<Form> video_forms() {
  return forms_of(rows);
}

}  // namespace conformance
