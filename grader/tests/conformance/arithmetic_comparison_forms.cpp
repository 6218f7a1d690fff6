// PTX ISA: comparison and selection.
#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

#define FLOAT_COMPARISONS "{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}"

constexpr FormRow rows[] = {
    {"setp.{eq,ne}.b16", "pred pred", "b16 b16", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne}.b32", "pred pred", "b32 b32", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne}.b64", "pred pred", "b64 b64", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne,lt,le,gt,ge}.s16", "pred pred", "b16 b16", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne,lt,le,gt,ge}.s32", "pred pred", "b32 b32", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne,lt,le,gt,ge}.s64", "pred pred", "b64 b64", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}.u16", "pred pred", "b16 b16", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}.u32", "pred pred", "b32 b32", "$ %d0|%d1, %s0, %s1;"},
    {"setp.{eq,ne,lt,le,gt,ge,lo,ls,hi,hs}.u64", "pred pred", "b64 b64", "$ %d0|%d1, %s0, %s1;"},
    {"setp." FLOAT_COMPARISONS "{,.ftz}.f32", "pred pred", "f32 f32", "$ %d0|%d1, %s0, %s1;"},
    {"setp." FLOAT_COMPARISONS ".f64", "pred pred", "f64 f64", "$ %d0|%d1, %s0, %s1;"},
    {"setp." FLOAT_COMPARISONS "{,.ftz}.f16", "pred", "f16 f16"},
    {"setp." FLOAT_COMPARISONS ".bf16", "pred", "bf16 bf16"},
    {"setp." FLOAT_COMPARISONS "{,.ftz}.f16x2", "pred pred", "f16x2 f16x2", "$ %d0|%d1, %s0, %s1;"},
    {"setp." FLOAT_COMPARISONS ".bf16x2", "pred pred", "bf16x2 bf16x2", "$ %d0|%d1, %s0, %s1;"},

    // With a predicate, as it is and negated.
    {"setp.{eq,lt}.{and,or,xor}.{s32,u32}", "pred pred", "b32 b32 pred",
     "setp.$0.$1.$2 %d0|%d1, %s0, %s1, %s2;"},
    {"setp.{ne,ge}.{and,or,xor}.s64 !p", "pred pred", "b64 b64 pred",
     "setp.$0.$1.s64 %d0|%d1, %s0, %s1, !%s2;"},
    {"setp.{lt,neu}.{and,or,xor}.f32", "pred pred", "f32 f32 pred", "$ %d0|%d1, %s0, %s1, %s2;"},
    {"setp.{lt,geu}.{and,or,xor}.f16x2", "pred pred", "f16x2 f16x2 pred",
     "$ %d0|%d1, %s0, %s1, %s2;"},

    {"set.{eq,lt,ge}.{u32,s32,f32}.{u16,s16}", "b32", "b16 b16"},
    {"set.{eq,lt,ge}.{u32,s32,f32}.{u32,s32}", "b32", "b32 b32"},
    {"set.{eq,lt,ge}.{u32,s32,f32}.{u64,s64}", "b32", "b64 b64"},
    {"set.{eq,ne}.{u32,s32,f32}.b32", "b32", "b32 b32"},
    {"set.{eq,lt,geu,nan}{,.ftz}.{u32,s32,f32}.f32", "b32", "f32 f32"},
    {"set.{eq,lt,geu,nan}.{u32,s32,f32}.f64", "b32", "f64 f64"},
    {"set.{ne,gt}.{and,or,xor}.{u32,f32}.s32", "b32", "b32 b32 pred"},
    {"set.{eq,lt,neu,num}{,.ftz}.{f16,u16,s16}.f16", "b16", "f16 f16"},
    {"set.{eq,lt,neu,num}{,.ftz}.{u32,s32}.f16", "b32", "f16 f16"},
    {"set.{eq,lt,neu,num}.{bf16,u16,s16}.bf16", "b16", "bf16 bf16"},
    {"set.{eq,lt,neu,num}.{u32,s32}.bf16", "b32", "bf16 bf16"},
    {"set.{eq,lt,neu,num}{,.ftz}.{f16x2,u32,s32}.f16x2", "b32", "f16x2 f16x2"},
    {"set.{eq,lt,neu,num}.{bf16x2,u32,s32}.bf16x2", "b32", "bf16x2 bf16x2"},

    {"selp.{b16,u16,s16}", "b16", "b16 b16 pred"},
    {"selp.{b32,u32,s32,f32}", "b32", "b32 b32 pred"},
    {"selp.{b64,u64,s64,f64}", "b64", "b64 b64 pred"},
    {"slct.{b16,u16,s16}.s32", "b16", "b16 b16 b32"},
    {"slct.{b32,u32,s32,f32}.s32", "b32", "b32 b32 b32"},
    {"slct.{b64,u64,s64,f64}.s32", "b64", "b64 b64 b32"},
    {"slct{,.ftz}.{b16,u16,s16}.f32", "b16", "b16 b16 f32"},
    {"slct{,.ftz}.{b32,u32,s32,f32}.f32", "b32", "b32 b32 f32"},
    {"slct{,.ftz}.{b64,u64,s64,f64}.f32", "b64", "b64 b64 f32"},
};

}  // namespace

std::vector<Form> comparison_forms() {
  return forms_of(rows);
}

}  // namespace conformance
