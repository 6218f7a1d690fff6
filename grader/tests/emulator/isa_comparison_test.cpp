// setp, set, selp, slct, testp and copysign.
#include <compare>
#include <functional>
#include <map>

#include "isa_oracle.h"
#include "isa_test_support.h"

namespace tmaemu::testing {
namespace {

using Outcome = std::partial_ordering;

// What each operator says of an ordering.
const std::map<std::string, std::function<bool(Outcome)>> operators = {
    {"eq", [](Outcome o) { return o == 0; }},
    {"ne", [](Outcome o) { return o < 0 || o > 0; }},
    {"lt", [](Outcome o) { return o < 0; }},
    {"le", [](Outcome o) { return o <= 0; }},
    {"gt", [](Outcome o) { return o > 0; }},
    {"ge", [](Outcome o) { return o >= 0; }},
    {"equ", [](Outcome o) { return !(o < 0 || o > 0); }},
    {"neu", [](Outcome o) { return o != 0; }},
    {"ltu", [](Outcome o) { return !(o >= 0); }},
    {"leu", [](Outcome o) { return !(o > 0); }},
    {"gtu", [](Outcome o) { return !(o <= 0); }},
    {"geu", [](Outcome o) { return !(o < 0); }},
    {"num", [](Outcome o) { return o != Outcome::unordered; }},
    {"nan", [](Outcome o) { return o == Outcome::unordered; }},
};
const std::string ordered_operators[] = {"eq", "ne", "lt", "le", "gt", "ge"};

Outcome order(const Format& format, Bits a, Bits b) {
  if (format.is_nan(a) || format.is_nan(b)) return Outcome::unordered;
  const auto value = [&](Bits bits) {
    const auto magnitude = static_cast<std::int64_t>(format.magnitude(bits));
    return bits & format.sign() ? -magnitude : magnitude;
  };
  return value(a) <=> value(b);
}

std::int64_t sign_extended(Bits bits, unsigned bytes) {
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<std::int64_t>(bits << shift) >> shift;
}

const std::string predicate_to_result = " selp.b32 %d, 1, 0, %p;";

Code setp(const std::string& modifiers, unsigned bytes) {
  return {"setp." + modifiers + " %p, %a, %b;" + predicate_to_result, 4, {bytes, bytes}};
}

template <class Order>
void expect_comparison(const std::string& comparison, const std::string& type, unsigned bytes,
                       const std::vector<Bits>& values, Order order) {
  const std::vector<Tuple> tuples = all_tuples(values, 2);
  const std::vector<Bits> results = run(setp(comparison + "." + type, bytes), tuples);
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    ASSERT_EQ(results[i] != 0, operators.at(comparison)(order(tuples[i][0], tuples[i][1])))
        << comparison << "." << type << std::hex << " " << tuples[i][0] << " " << tuples[i][1];
  }
}

struct FloatType {
  std::string name;
  Format format;
};
const FloatType float_types[] = {{"f32", single}, {"f64", twice}, {"f16", half}, {"bf16", brain}};

TEST(Setp, ComparesFloatingPointWithAllOperators) {
  for (const FloatType& type : float_types) {
    for (const auto& [name, holds] : operators) {
      expect_comparison(name, type.name, type.format.bytes(), type.format.edges(),
                        [&](Bits a, Bits b) { return order(type.format, a, b); });
    }
  }
}

TEST(Setp, ComparesSignedAndUnsignedIntegers) {
  for (const unsigned bytes : {2u, 4u, 8u}) {
    const Bits top = Bits{1} << (8 * bytes - 1);
    const std::vector<Bits> values{0, 1, 2, top - 1, top, top + 1, top + (top - 1)};
    const std::string digits = std::to_string(8 * bytes);
    for (const std::string& name : ordered_operators) {
      expect_comparison(name, "u" + digits, bytes, values,
                        [](Bits a, Bits b) -> Outcome { return a <=> b; });
      expect_comparison(name, "s" + digits, bytes, values, [&](Bits a, Bits b) -> Outcome {
        return sign_extended(a, bytes) <=> sign_extended(b, bytes);
      });
    }
  }
}

TEST(Setp, HasOtherNamesForUnsignedOperators) {
  EXPECT_EQ(run_one(setp("lo.u32", 4), {1, 0xffff'ffff}), 1u);
  EXPECT_EQ(run_one(setp("ls.u32", 4), {2, 2}), 1u);
  EXPECT_EQ(run_one(setp("hi.u64", 8), {1, 2}), 0u);
  EXPECT_EQ(run_one(setp("hs.u16", 2), {0xffff, 1}), 1u);
}

TEST(Setp, ComparesBitsForEqualityOnly) {
  EXPECT_EQ(run_one(setp("eq.b32", 4), {7, 7}), 1u);
  EXPECT_EQ(try_run(setp("lt.b32", 4), {{7, 7}}).outcome, LaunchOutcome::not_modeled);
}

TEST(Setp, RefusesOperatorsThatIntegersLack) {
  EXPECT_EQ(try_run(setp("ltu.s32", 4), {{7, 7}}).outcome, LaunchOutcome::not_modeled);
}

TEST(Setp, FlushesSubnormals) {
  EXPECT_EQ(run_one(setp("eq.ftz.f32", 4), {5, 0x8000'0000}), 1u);
  EXPECT_EQ(run_one(setp("eq.f32", 4), {5, 0}), 0u);
  EXPECT_EQ(run_one(setp("lt.ftz.f16", 2), {0, 5}), 0u);
}

// %q is (%a != 0), the outcome is combined with it or its complement.
Bits combined(const std::string& operation, bool negated, bool outcome, bool predicate) {
  const std::string body = "setp.ne.u32 %q, %a, 0;\nsetp.eq." + operation + ".u32 %p, %b, 1, " +
                           (negated ? "!" : "") + "%q;" + predicate_to_result;
  return run_one({body, 4, {4, 4}}, {predicate, outcome});
}

TEST(Setp, CombinesWithAPredicateOrItsComplement) {
  for (const bool outcome : {false, true}) {
    for (const bool predicate : {false, true}) {
      for (const bool negated : {false, true}) {
        const bool c = predicate != negated;
        EXPECT_EQ(combined("and", negated, outcome, predicate), outcome && c ? 1u : 0u);
        EXPECT_EQ(combined("or", negated, outcome, predicate), outcome || c ? 1u : 0u);
        EXPECT_EQ(combined("xor", negated, outcome, predicate), outcome != c ? 1u : 0u);
      }
    }
  }
}

TEST(Setp, SecondDestinationIsTheComplementCombined) {
  const std::string result = "selp.b32 %d, 1, 0, %p; selp.b32 %i, 2, 0, %q; or.b32 %d, %d, %i;";
  const Code plain{"setp.lt.f32 %p|%q, %a, %b;" + result, 4, {4, 4}};
  EXPECT_EQ(run_one(plain, {bits_of(1.0f), bits_of(2.0f)}), 1u);
  EXPECT_EQ(run_one(plain, {bits_of(2.0f), 0x7fc0'0000}), 2u);
  const Code with{"setp.ne.u32 %q, %a, %a; setp.lt.and.u32 %p|%q, %a, %b, %q;" + result, 4, {4, 4}};
  EXPECT_EQ(run_one(with, {1, 2}), 0u);
}

TEST(Setp, ComparesPackedElementsIntoTwoPredicates) {
  const Code code{
      "setp.lt.f16x2 %p|%q, %a, %b; selp.b32 %d, 1, 0, %p; selp.b32 %i, 2, 0, %q;"
      "or.b32 %d, %d, %i;",
      4,
      {4, 4}};
  EXPECT_EQ(run_one(code, {0x4000'3c00, 0x3c00'4000}), 1u);
  EXPECT_EQ(run_one(code, {0x3c00'4000, 0x4000'3c00}), 2u);
}

// Lanes that do not execute the instruction keep their predicates.
TEST(Setp, LeavesOtherLanesAlone) {
  const Code code{"setp.eq.u32 %p, %a, %a; setp.ne.u32 %q, %a, 0; @%q setp.ne.u32 %p, %a, %a;" +
                      predicate_to_result,
                  4,
                  {4}};
  EXPECT_EQ(run(code, {{0}, {1}, {0}, {2}}), (std::vector<Bits>{1, 0, 1, 0}));
}

TEST(Set, GivesAllOnesOrOne) {
  EXPECT_EQ(run_one({"set.lt.u32.s32 %d, %a, %b;", 4, {4, 4}}, {0xffff'ffff, 0}), 0xffff'ffffu);
  EXPECT_EQ(run_one({"set.lt.f32.s32 %d, %a, %b;", 4, {4, 4}}, {0xffff'ffff, 0}), bits_of(1.0f));
  EXPECT_EQ(run_one({"set.gt.s32.f64 %d, %a, %b;", 4, {8, 8}}, {bits_of(1.0), bits_of(2.0)}), 0u);
  EXPECT_EQ(run_one({"set.eq.f16.f16 %d, %a, %b;", 2, {2, 2}}, {0, 0x8000}), 0x3c00u);
}

TEST(Set, ComparesPackedElements) {
  const std::vector<unsigned> packed{4, 4};
  EXPECT_EQ(run_one({"set.lt.f16x2.f16x2 %d, %a, %b;", 4, packed}, {0x4000'3c00, 0x3c00'4000}),
            0x0000'3c00u);
  EXPECT_EQ(run_one({"set.lt.bf16x2.bf16x2 %d, %a, %b;", 4, packed}, {0x3f80'4000, 0x4000'3f80}),
            0x3f80'0000u);
  EXPECT_EQ(run_one({"set.leu.u32.f16x2 %d, %a, %b;", 4, packed}, {0x7e00'4000, 0x3c00'3c00}),
            0xffff'0000u);
}

TEST(Set, CombinesWithAPredicate) {
  const Code code{"setp.ne.u32 %p, %a, 0; set.eq.and.u32.u32 %d, %b, 1, !%p;", 4, {4, 4}};
  EXPECT_EQ(run_one(code, {0, 1}), 0xffff'ffffu);
  EXPECT_EQ(run_one(code, {1, 1}), 0u);
}

TEST(Selp, SelectsByPredicateInEveryWidth) {
  for (const unsigned bytes : {2u, 4u, 8u}) {
    const std::string type = ".b" + std::to_string(8 * bytes);
    const Code code{"setp.ne" +
                        std::string(bytes == 2   ? ".u16"
                                    : bytes == 4 ? ".u32"
                                                 : ".u64") +
                        " %p, %a, %b; selp" + type + " %d, %a, %b, %p;",
                    bytes,
                    {bytes, bytes}};
    EXPECT_EQ(run_one(code, {3, 5}), 3u);
    EXPECT_EQ(run_one(code, {5, 5}), 5u);
  }
}

TEST(Selp, TakesImmediatesOfItsType) {
  const Code code{"setp.ne.u32 %p, %a, 0; selp.f32 %d, 0f3F800000, 0fBF800000, %p;", 4, {4}};
  EXPECT_EQ(run(code, {{1}, {0}}), (std::vector<Bits>{bits_of(1.0f), bits_of(-1.0f)}));
}

TEST(Slct, SelectsBySign) {
  const Code by_integer{"slct.b64.s32 %d, %a, %b, %c;", 8, {8, 8, 4}};
  EXPECT_EQ(run_one(by_integer, {1, 2, 0}), 1u);
  EXPECT_EQ(run_one(by_integer, {1, 2, 0x8000'0000}), 2u);
  const Code by_float{"slct.u32.f32 %d, %a, %b, %c;", 4, {4, 4, 4}};
  EXPECT_EQ(run_one(by_float, {1, 2, 0x8000'0000}), 1u);  // -0
  EXPECT_EQ(run_one(by_float, {1, 2, 0x8000'0001}), 2u);
  EXPECT_EQ(run_one(by_float, {1, 2, 0x7fc0'0000}), 2u);  // NaN
  EXPECT_EQ(run_one({"slct.ftz.u32.f32 %d, %a, %b, %c;", 4, {4, 4, 4}}, {1, 2, 0x8000'0001}), 1u);
}

TEST(Testp, ClassifiesNumbers) {
  const std::map<std::string, std::function<bool(const Format&, Bits)>> classes = {
      {"finite", [](const Format& f, Bits bits) { return f.is_finite(bits); }},
      {"infinite", [](const Format& f, Bits bits) { return f.is_infinite(bits); }},
      {"number", [](const Format& f, Bits bits) { return !f.is_nan(bits); }},
      {"notanumber", [](const Format& f, Bits bits) { return f.is_nan(bits); }},
      {"normal",
       [](const Format& f, Bits bits) { return f.is_finite(bits) && !f.is_subnormal(bits); }},
      {"subnormal", [](const Format& f, Bits bits) { return f.is_subnormal(bits); }},
  };
  for (const auto& [name, holds] : classes) {
    for (const Format& format : {single, twice}) {
      const std::string type = format.bytes() == 4 ? ".f32" : ".f64";
      const Code code{
          "testp." + name + type + " %p, %a;" + predicate_to_result, 4, {format.bytes()}};
      for (const Bits bits : format.edges()) {
        EXPECT_EQ(run_one(code, {bits}), holds(format, bits) ? 1u : 0u) << name << " " << bits;
      }
    }
  }
}

// The sign is the first operand's.
TEST(Copysign, TakesTheSignOfTheFirst) {
  const Code code{"copysign.f32 %d, %a, %b;", 4, {4, 4}};
  EXPECT_EQ(run_one(code, {bits_of(-1.0f), bits_of(2.0f)}), bits_of(-2.0f));
  EXPECT_EQ(run_one(code, {bits_of(1.0f), 0xffc0'0001}), 0x7fc0'0001u);
  EXPECT_EQ(run_one({"copysign.f64 %d, %a, %b;", 8, {8, 8}}, {bits_of(-0.0), bits_of(3.0)}),
            bits_of(-3.0));
}

}  // namespace
}  // namespace tmaemu::testing
