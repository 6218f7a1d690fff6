// PTX ISA: cvt between all pairs of types, cvt.pack, and the packed forms that sm_90 has.
#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

constexpr FormRow rows[] = {
    // Integers. The result of 8 bits is a register of 16, extended.
    {"cvt.{u8,s8,u16,s16}.{u8,s8}", "b16", "b8"},
    {"cvt.{u32,s32}.{u8,s8}", "b32", "b8"},
    {"cvt.{u64,s64}.{u8,s8}", "b64", "b8"},
    {"cvt.{u8,s8,u16,s16}.{u16,s16}", "b16", "b16"},
    {"cvt.{u32,s32}.{u16,s16}", "b32", "b16"},
    {"cvt.{u64,s64}.{u16,s16}", "b64", "b16"},
    {"cvt.{u8,s8,u16,s16}.{u32,s32}", "b16", "b32"},
    {"cvt.{u32,s32}.{u32,s32}", "b32", "b32"},
    {"cvt.{u64,s64}.{u32,s32}", "b64", "b32"},
    {"cvt.{u8,s8,u16,s16}.{u64,s64}", "b16", "b64"},
    {"cvt.{u32,s32}.{u64,s64}", "b32", "b64"},
    {"cvt.{u64,s64}.{u64,s64}", "b64", "b64"},
    // Into a wider register.
    {"cvt.{u8,s8,u16,s16}.{u32,s32} into b32", "b32", "b32", "cvt.$0.$1 %d0, %s0;"},
    {"cvt.{u8,s8,u16,s16,u32,s32}.{u64,s64} into b64", "b64", "b64", "cvt.$0.$1 %d0, %s0;"},
    // Saturated where the value may not fit.
    {"cvt.sat.{u8,s8}.{u16,s16}", "b16", "b16"},
    {"cvt.sat.{u8,s8,u16,s16}.{u32,s32}", "b16", "b32"},
    {"cvt.sat.{u8,s8,u16,s16}.{u64,s64}", "b16", "b64"},
    {"cvt.sat.{u32,s32}.{u64,s64}", "b32", "b64"},
    {"cvt.sat.u8.s8", "b16", "b8"},
    {"cvt.sat.s8.u8", "b16", "b8"},
    {"cvt.sat.u16.s8", "b16", "b8"},
    {"cvt.sat.u16.s16", "b16", "b16"},
    {"cvt.sat.s16.u16", "b16", "b16"},
    {"cvt.sat.u32.s32", "b32", "b32"},
    {"cvt.sat.s32.u32", "b32", "b32"},
    {"cvt.sat.u64.s64", "b64", "b64"},
    {"cvt.sat.s64.u64", "b64", "b64"},

    // Integers to floating point.
    {"cvt{.rn,.rz,.rm,.rp}.f16.{u8,s8}", "b16", "b8"},
    {"cvt{.rn,.rz,.rm,.rp}.{f16,bf16}.{u16,s16}", "b16", "b16"},
    {"cvt{.rn,.rz,.rm,.rp}.{f16,bf16}.{u32,s32}", "b16", "b32"},
    {"cvt{.rn,.rz,.rm,.rp}.{f16,bf16}.{u64,s64}", "b16", "b64"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f32.{u8,s8}", "b32", "b8"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f32.{u16,s16}", "b32", "b16"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f32.{u32,s32}", "b32", "b32"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f32.{u64,s64}", "b32", "b64"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f64.{u8,s8}", "b64", "b8"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f64.{u16,s16}", "b64", "b16"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f64.{u32,s32}", "b64", "b32"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f64.{u64,s64}", "b64", "b64"},
    {"cvt.rn.sat.f16.{u16,s16}", "b16", "b16"},

    // Floating point to integers.
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.sat}.{u8,s8,u16,s16}.f16", "b16", "f16"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.sat}.{u32,s32}.f16", "b32", "f16"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.sat}.{u64,s64}.f16", "b64", "f16"},
    {"cvt{.rni,.rzi,.rmi,.rpi}.{u16,s16}.bf16", "b16", "bf16"},
    {"cvt{.rni,.rzi,.rmi,.rpi}.{u32,s32}.bf16", "b32", "bf16"},
    {"cvt{.rni,.rzi,.rmi,.rpi}.{u64,s64}.bf16", "b64", "bf16"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.{u8,s8,u16,s16}.f32", "b16", "f32"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.{u32,s32}.f32", "b32", "f32"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.{u64,s64}.f32", "b64", "f32"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.sat}.{u8,s8,u16,s16}.f64", "b16", "f64"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.sat}.{u32,s32}.f64", "b32", "f64"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.sat}.{u64,s64}.f64", "b64", "f64"},

    // Floating point to floating point.
    {"cvt{,.sat}.f16.f16", "f16", "f16"},
    {"cvt{.rni,.rzi,.rmi,.rpi}{,.sat}.f16.f16", "f16", "f16"},
    {"cvt{,.rni,.rzi,.rmi,.rpi}.bf16.bf16", "bf16", "bf16"},
    {"cvt{,.rni,.rzi,.rmi,.rpi}{,.ftz}{,.sat}.f32.f32", "f32", "f32"},
    {"cvt{,.rni,.rzi,.rmi,.rpi}{,.sat}.f64.f64", "f64", "f64"},
    {"cvt{,.ftz}{,.sat}.f32.f16", "f32", "f16"},
    {"cvt{,.ftz}.f32.bf16", "f32", "bf16"},
    {"cvt{,.sat}.f64.f16", "f64", "f16"},
    {"cvt.f64.bf16", "f64", "bf16"},
    {"cvt{,.ftz}{,.sat}.f64.f32", "f64", "f32"},
    {"cvt{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f16.f32", "f16", "f32"},
    {"cvt{.rn,.rz}.relu.f16.f32", "f16", "f32"},
    {"cvt{.rn,.rz}.satfinite{,.relu}.f16.f32", "f16", "f32"},
    {"cvt{.rn,.rz,.rm,.rp}.bf16.f32", "bf16", "f32"},
    {"cvt{.rn,.rz}.relu.bf16.f32", "bf16", "f32"},
    {"cvt{.rn,.rz}.satfinite{,.relu}.bf16.f32", "bf16", "f32"},
    {"cvt{.rn,.rz,.rm,.rp}{,.sat}.f16.f64", "f16", "f64"},
    {"cvt{.rn,.rz,.rm,.rp}.bf16.f64", "bf16", "f64"},
    {"cvt{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32.f64", "f32", "f64"},
    {"cvt{.rn,.rz,.rm,.rp}.bf16.f16", "bf16", "f16"},
    {"cvt{.rn,.rz,.rm,.rp}.f16.bf16", "f16", "bf16"},
    // What ptxas takes beside what the manual has.
    {"cvt.bf16.f16", "bf16", "f16"},
    {"cvt.f16.bf16", "f16", "bf16"},
    {"cvt{.rn,.rz,.rm,.rp}{,.ftz}.f32.bf16", "f32", "bf16"},
    {"cvt{.rn,.rz,.rm,.rp}.f64.bf16", "f64", "bf16"},

    {"cvt.rna{,.satfinite}.tf32.f32", "b32", "f32"},
    {"cvt{.rn,.rz}{,.relu}.tf32.f32", "b32", "f32"},

    // Packed.
    {"cvt{.rn,.rz}{,.satfinite}{,.relu}.{f16x2,bf16x2}.f32", "b32", "f32 f32"},
    {"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f32", "b16", "f32 f32"},
    {"cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2}.f16x2", "b16", "f16x2"},
    {"cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2}", "f16x2", "b16"},
    {"cvt.pack.sat.{u16,s16}.s32", "b32", "b32 b32"},
    {"cvt.pack.sat.{u8,s8,u4,s4,u2,s2}.s32.b32", "b32", "b32 b32 b32"},
};

}  // namespace

std::vector<Form> conversion_forms() {
  return forms_of(rows);
}

}  // namespace conformance
