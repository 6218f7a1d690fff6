// PTX ISA: floating point and half precision, what is rounded exactly or not at all.
#include "tests/conformance/arithmetic_forms.h"

namespace conformance {
namespace {

constexpr FormRow rows[] = {
    {"{add,sub,mul}{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32", "f32", "f32 f32"},
    {"{add,sub,mul}{,.rn,.rz,.rm,.rp}.f64", "f64", "f64 f64"},
    {"{fma,mad}{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32", "f32", "f32 f32 f32"},
    {"{fma,mad}{.rn,.rz,.rm,.rp}.f64", "f64", "f64 f64 f64"},
    {"div{.rn,.rz,.rm,.rp}{,.ftz}.f32", "f32", "f32 f32"},
    {"div{.rn,.rz,.rm,.rp}.f64", "f64", "f64 f64"},
    {"{rcp,sqrt}{.rn,.rz,.rm,.rp}{,.ftz}.f32", "f32", "f32"},
    {"{rcp,sqrt}{.rn,.rz,.rm,.rp}.f64", "f64", "f64"},

    {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16", "f16", "f16 f16"},
    {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16x2", "f16x2", "f16x2 f16x2"},
    {"{add,sub,mul}{,.rn}.bf16", "bf16", "bf16 bf16"},
    {"{add,sub,mul}{,.rn}.bf16x2", "bf16x2", "bf16x2 bf16x2"},
    {"fma.rn{,.ftz}{,.sat,.relu}.f16", "f16", "f16 f16 f16"},
    {"fma.rn{,.ftz}{,.sat,.relu}.f16x2", "f16x2", "f16x2 f16x2 f16x2"},
    {"fma.rn{,.relu}.bf16", "bf16", "bf16 bf16 bf16"},
    {"fma.rn{,.relu}.bf16x2", "bf16x2", "bf16x2 bf16x2 bf16x2"},

    {"{abs,neg}{,.ftz}.f32", "f32", "f32"},
    {"{abs,neg}.f64", "f64", "f64"},
    {"{abs,neg}{,.ftz}.f16", "f16", "f16"},
    {"{abs,neg}{,.ftz}.f16x2", "f16x2", "f16x2"},
    {"{abs,neg}.bf16", "bf16", "bf16"},
    {"{abs,neg}.bf16x2", "bf16x2", "bf16x2"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32", "f32", "f32 f32"},
    {"{min,max}.f64", "f64", "f64 f64"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16", "f16", "f16 f16"},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16x2", "f16x2", "f16x2 f16x2"},
    {"{min,max}{,.NaN}{,.xorsign.abs}.bf16", "bf16", "bf16 bf16"},
    {"{min,max}{,.NaN}{,.xorsign.abs}.bf16x2", "bf16x2", "bf16x2 bf16x2"},

    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.f32", "pred", "f32"},
    {"testp.{finite,infinite,number,notanumber,normal,subnormal}.f64", "pred", "f64"},
    {"copysign.f32", "f32", "f32 f32"},
    {"copysign.f64", "f64", "f64 f64"},
};

}  // namespace

std::vector<Form> float_forms() {
  return forms_of(rows);
}

}  // namespace conformance
