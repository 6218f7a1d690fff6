#include "tests/conformance/random_functions.h"

#include <string>

namespace conformance {

void declare_functions(KernelText& text) {
  static constexpr const char* bodies[] = {
      "mul.lo.u32 %r, %x, 77; shr.u32 %s, %y, 3; add.u32 %r, %r, %s;",
      "xor.b32 %r, %x, 4711; sub.u32 %s, %y, %x; setp.lt.u32 %p, %x, %y;"
      " selp.b32 %r, %r, %s, %p;",
      "popc.b32 %r, %x; mad.lo.u32 %r, %r, %y, 3;",
      "or.b32 %s, %y, 3; div.u32 %r, %x, %s; brev.b32 %s, %y; add.u32 %r, %r, %s;",
      "mul.hi.u32 %r, %x, %y; xor.b32 %r, %r, %x;"};
  const std::string signature = "(.param .b32 result)";
  const std::string parameters = "(.param .b32 a, .param .b32 b)";
  const std::string prologue =
      "{ .reg .b32 %x, %y, %r, %s, %t; .reg .pred %p, %q;"
      " ld.param.b32 %x, [a]; ld.param.b32 %y, [b];\n";
  std::string names;
  for (unsigned i = 0; i < 4; ++i) {
    const std::string name = "function" + std::to_string(i);
    names += (names.empty() ? "" : ", ") + name;
    const std::string mask = text.chance(50) ? "3" : "7", body = text.one_of(bodies);
    text.declare(".func " + signature + " " + name + parameters + "\n" + prologue + body +
                 " and.b32 %s, %y, " + mask +
                 ";\nAGAIN: setp.eq.u32 %q, %s, 0; @%q bra END; mad.lo.u32 %t, %r, 5, %s;"
                 " shr.u32 %r, %r, 7; add.u32 %r, %r, %t; sub.u32 %s, %s, 1; bra AGAIN;\n"
                 "END: st.param.b32 [result], %r; ret; }");
  }
  text.declare(".global .align 8 .u64 functions[4] = {" + names + "};");
}

}  // namespace conformance
