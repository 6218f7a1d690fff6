#include "emulator/profile/product_name.h"

namespace tmaemu::profile {
namespace {

const char* name_of(tensor::Element type) {
  using tensor::Element;
  switch (type) {
    case Element::f16:
      return "f16";
    case Element::bf16:
      return "bf16";
    case Element::tf32:
      return "tf32";
    case Element::e4m3:
      return "e4m3";
    case Element::e5m2:
      return "e5m2";
    case Element::f64:
      return "f64";
    case Element::s8:
      return "s8";
    case Element::u8:
      return "u8";
    case Element::s4:
      return "s4";
    case Element::u4:
      return "u4";
    case Element::b1:
      return "b1";
  }
  return "";
}

const char* name_of(tensor::Accumulator type) {
  using tensor::Accumulator;
  switch (type) {
    case Accumulator::f16:
      return "f16";
    case Accumulator::f32:
      return "f32";
    case Accumulator::s32:
      return "s32";
    case Accumulator::f64:
      return "f64";
  }
  return "";
}

}  // namespace

std::string product_name(const tensor::Product& product) {
  const std::string shape = "m" + std::to_string(product.m) + "n" + std::to_string(product.n) +
                            "k" + std::to_string(product.rows_of_b());
  const std::string types = std::string(name_of(product.accumulator)) + "." + name_of(product.a) +
                            "." + name_of(product.b);
  return shape + " " + types + (product.is_sparse ? ", sparse" : "");
}

}  // namespace tmaemu::profile
