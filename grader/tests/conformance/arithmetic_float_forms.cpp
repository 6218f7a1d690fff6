// PTX ISA: floating point and half precision, what is rounded exactly or not at all.
#include <iterator>

#include "common/split_mix.h"
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

constexpr FormRow out_of_bounds_rows[] = {
    {"fma.rn.oob{,.relu}.f16", "f16", "f16 f16 f16"},
    {"fma.rn.oob{,.relu}.f16x2", "f16x2", "f16x2 f16x2 f16x2"},
    {"fma.rn.oob{,.relu}.bf16", "bf16", "bf16 bf16 bf16"},
    {"fma.rn.oob{,.relu}.bf16x2", "bf16x2", "bf16x2 bf16x2 bf16x2"},
};

// The NaN that a tensor map's fill puts where there is no tensor (0x7ff7), its neighbors, and
// numbers.
void draw_out_of_bounds(const Form& form, std::uint64_t seed, std::span<std::uint64_t> sources) {
  constexpr std::uint16_t special[] = {0x7ff7, 0x7ff7, 0xfff7, 0x7fff, 0x7ff6, 0x7ff8, 0x7ff3,
                                       0x7f80, 0x7c00, 0xfc00, 0xff80, 0x3c00, 0xbf80, 0};
  common::SplitMix64 random(seed);
  for (std::size_t i = 0; i < form.sources.size(); ++i) {
    std::uint64_t value = 0;
    for (unsigned bit = 0; bit < bits_of(form.sources[i]); bit += 16) {
      const std::uint64_t choice = random.next();
      const std::uint64_t half =
          choice % 2 == 0 ? special[choice / 2 % std::size(special)] : choice >> 48;
      value |= half << bit;
    }
    sources[i] = value;
  }
}

}  // namespace

std::vector<Form> float_forms() {
  std::vector<Form> forms = forms_of(rows);
  for (Form& form : forms_of(out_of_bounds_rows)) {
    form.draw = draw_out_of_bounds;
    forms.push_back(std::move(form));
  }
  return forms;
}

}  // namespace conformance
