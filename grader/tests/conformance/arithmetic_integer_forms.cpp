// PTX ISA: integer arithmetic, extended precision, logic and shifts.
#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

constexpr FormRow rows[] = {
    {"{add,sub}.{u16,s16}", "b16", "b16 b16"},
    {"{add,sub}.{u32,s32}", "b32", "b32 b32"},
    {"{add,sub}.{u64,s64}", "b64", "b64 b64"},
    {"{add,sub}.sat.s32", "b32", "b32 b32"},
    {"add.{u16x2,s16x2}", "b32", "b32 b32"},

    {"mul.{lo,hi}.{u16,s16}", "b16", "b16 b16"},
    {"mul.{lo,hi}.{u32,s32}", "b32", "b32 b32"},
    {"mul.{lo,hi}.{u64,s64}", "b64", "b64 b64"},
    {"mul.wide.{u16,s16}", "b32", "b16 b16"},
    {"mul.wide.{u32,s32}", "b64", "b32 b32"},
    {"mad.{lo,hi}.{u16,s16}", "b16", "b16 b16 b16"},
    {"mad.{lo,hi}.{u32,s32}", "b32", "b32 b32 b32"},
    {"mad.{lo,hi}.{u64,s64}", "b64", "b64 b64 b64"},
    {"mad.wide.{u16,s16}", "b32", "b16 b16 b32"},
    {"mad.wide.{u32,s32}", "b64", "b32 b32 b64"},
    {"mad.hi.sat.s32", "b32", "b32 b32 b32"},
    {"mul24.{lo,hi}.{u32,s32}", "b32", "b32 b32"},
    {"mad24.{lo,hi}.{u32,s32}", "b32", "b32 b32 b32"},
    {"mad24.hi.sat.s32", "b32", "b32 b32 b32"},

    {"{div,rem}.{u16,s16}", "b16", "b16 b16"},
    {"{div,rem}.{u32,s32}", "b32", "b32 b32"},
    {"{div,rem}.{u64,s64}", "b64", "b64 b64"},

    {"{abs,neg}.s16", "b16", "b16"},
    {"{abs,neg}.s32", "b32", "b32"},
    {"{abs,neg}.s64", "b64", "b64"},
    {"{min,max}.{u16,s16}", "b16", "b16 b16"},
    {"{min,max}.{u32,s32,u16x2,s16x2}", "b32", "b32 b32"},
    {"{min,max}.{u64,s64}", "b64", "b64 b64"},
    {"{min,max}.relu.{s32,s16x2}", "b32", "b32 b32"},
    {"sad.{u16,s16}", "b16", "b16 b16 b16"},
    {"sad.{u32,s32}", "b32", "b32 b32 b32"},
    {"sad.{u64,s64}", "b64", "b64 b64 b64"},
    {"dp4a.{u32,s32}.{u32,s32}", "b32", "b32 b32 b32"},
    {"dp2a.{lo,hi}.{u32,s32}.{u32,s32}", "b32", "b32 b32 b32"},

    // Extended precision: the carry goes into a second and a third word.
    {"add.cc.{u32,s32} addc", "b32 b32", "b32 b32 b32 b32",
     "add.cc.$0 %d0, %s0, %s1; addc.$0 %d1, %s2, %s3;"},
    {"add.cc.{u64,s64} addc", "b64 b64", "b64 b64 b64 b64",
     "add.cc.$0 %d0, %s0, %s1; addc.$0 %d1, %s2, %s3;"},
    {"add.cc.{u32,s32} addc.cc addc", "b32 b32 b32", "b32 b32 b32 b32 b32 b32",
     "add.cc.$0 %d0, %s0, %s1; addc.cc.$0 %d1, %s2, %s3; addc.$0 %d2, %s4, %s5;"},
    {"add.cc.{u64,s64} addc.cc addc", "b64 b64 b64", "b64 b64 b64 b64 b64 b64",
     "add.cc.$0 %d0, %s0, %s1; addc.cc.$0 %d1, %s2, %s3; addc.$0 %d2, %s4, %s5;"},
    {"sub.cc.{u32,s32} subc", "b32 b32", "b32 b32 b32 b32",
     "sub.cc.$0 %d0, %s0, %s1; subc.$0 %d1, %s2, %s3;"},
    {"sub.cc.{u64,s64} subc", "b64 b64", "b64 b64 b64 b64",
     "sub.cc.$0 %d0, %s0, %s1; subc.$0 %d1, %s2, %s3;"},
    {"sub.cc.{u32,s32} subc.cc subc", "b32 b32 b32", "b32 b32 b32 b32 b32 b32",
     "sub.cc.$0 %d0, %s0, %s1; subc.cc.$0 %d1, %s2, %s3; subc.$0 %d2, %s4, %s5;"},
    {"sub.cc.{u64,s64} subc.cc subc", "b64 b64 b64", "b64 b64 b64 b64 b64 b64",
     "sub.cc.$0 %d0, %s0, %s1; subc.cc.$0 %d1, %s2, %s3; subc.$0 %d2, %s4, %s5;"},
    // A borrow read as a carry, and the reverse.
    {"sub.cc.u32 addc", "b32 b32", "b32 b32 b32 b32",
     "sub.cc.u32 %d0, %s0, %s1; addc.u32 %d1, %s2, %s3;"},
    {"add.cc.u32 subc", "b32 b32", "b32 b32 b32 b32",
     "add.cc.u32 %d0, %s0, %s1; subc.u32 %d1, %s2, %s3;"},
    {"mad.{lo,hi}.cc.{u32,s32} madc.hi", "b32 b32", "b32 b32 b32 b32 b32",
     "mad.$0.cc.$1 %d0, %s0, %s1, %s2; madc.hi.$1 %d1, %s0, %s3, %s4;"},
    {"mad.{lo,hi}.cc.{u64,s64} madc.hi", "b64 b64", "b64 b64 b64 b64 b64",
     "mad.$0.cc.$1 %d0, %s0, %s1, %s2; madc.hi.$1 %d1, %s0, %s3, %s4;"},
    {"mad.lo.cc.{u32,s32} madc.{lo,hi}.cc addc", "b32 b32 b32", "b32 b32 b32 b32 b32 b32",
     "mad.lo.cc.$0 %d0, %s0, %s1, %s2; madc.$1.cc.$0 %d1, %s0, %s3, %s4;"
     " addc.$0 %d2, %s5, 0;"},
    {"mad.lo.cc.{u64,s64} madc.{lo,hi}.cc addc", "b64 b64 b64", "b64 b64 b64 b64 b64 b64",
     "mad.lo.cc.$0 %d0, %s0, %s1, %s2; madc.$1.cc.$0 %d1, %s0, %s3, %s4;"
     " addc.$0 %d2, %s5, 0;"},

    {"popc.b32", "b32", "b32"},
    {"popc.b64", "b32", "b64"},
    {"clz.b32", "b32", "b32"},
    {"clz.b64", "b32", "b64"},
    {"bfind{,.shiftamt}.{u32,s32}", "b32", "b32"},
    {"bfind{,.shiftamt}.{u64,s64}", "b32", "b64"},
    {"fns.b32", "b32", "b32 amount amount"},
    {"brev.b32", "b32", "b32"},
    {"brev.b64", "b64", "b64"},
    {"bfe.{u32,s32}", "b32", "b32 amount amount"},
    {"bfe.{u64,s64}", "b64", "b64 amount amount"},
    {"bfi.b32", "b32", "b32 b32 amount amount"},
    {"bfi.b64", "b64", "b64 b64 amount amount"},
    {"szext.{clamp,wrap}.{u32,s32}", "b32", "b32 amount"},
    {"bmsk.{clamp,wrap}.b32", "b32", "amount amount"},

    {"{and,or,xor}.b16", "b16", "b16 b16"},
    {"{and,or,xor}.b32", "b32", "b32 b32"},
    {"{and,or,xor}.b64", "b64", "b64 b64"},
    {"{and,or,xor}.pred", "pred", "pred pred"},
    {"{not,cnot}.b16", "b16", "b16"},
    {"{not,cnot}.b32", "b32", "b32"},
    {"{not,cnot}.b64", "b64", "b64"},
    {"not.pred", "pred", "pred"},
    // Each row of the truth table alone, and some functions of all three.
    {"lop3.b32 {0x01,0x02,0x04,0x08,0x10,0x20,0x40,0x80,0x00,0xff,0x96,0xe8,0xca}", "b32",
     "b32 b32 b32", "lop3.b32 %d0, %s0, %s1, %s2, $0;"},
    {"lop3.{and,or}.b32 {0x00,0xff,0x96,0xe8}", "b32 pred", "b32 b32 b32 pred",
     "lop3.$0.b32 %d0|%d1, %s0, %s1, %s2, $1, %s3;"},
    {"shl.b16", "b16", "b16 amount"},
    {"shl.b32", "b32", "b32 amount"},
    {"shl.b64", "b64", "b64 amount"},
    {"shr.{b16,u16,s16}", "b16", "b16 amount"},
    {"shr.{b32,u32,s32}", "b32", "b32 amount"},
    {"shr.{b64,u64,s64}", "b64", "b64 amount"},
    {"shf.{l,r}.{clamp,wrap}.b32", "b32", "b32 b32 amount"},
    {"prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}", "b32", "b32 b32 b32"},

    {"mov.b32 pack, unpack", "b32 b16 b16", "b16 b16 b32",
     "mov.b32 %d0, {%s0, %s1}; mov.b32 {%d1, %d2}, %s2;"},
    {"mov.b64 pack, unpack", "b64 b32 b32", "b32 b32 b64",
     "mov.b64 %d0, {%s0, %s1}; mov.b64 {%d1, %d2}, %s2;"},
};

}  // namespace

std::vector<Form> integer_forms() {
  return forms_of(rows);
}

}  // namespace conformance
