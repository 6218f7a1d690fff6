// Control flow: branches, loops, switches and calls in which lanes part, and instructions of warps
// and CTAs at which they meet again. What a warp's lanes do together is always said by an
// instruction with a member mask, never left to how they happen to converge. Each loop also ends
// when the thread's fuel does.
#include <array>
#include <string>

#include "tests/conformance/random_functions.h"
#include "tests/conformance/random_program.h"
#include "tests/conformance/random_text.h"

namespace conformance {
namespace {

constexpr unsigned ctas = 3, threads = 96;
constexpr unsigned phases = 5;
constexpr unsigned fuel = 3000;

class Flow {
 public:
  explicit Flow(std::uint64_t seed) : text_(seed, ctas, threads, 3), seed_(seed) {
    for (std::string& name : words_) name = text_.reg("b32");
    for (std::string& name : longs_) name = text_.reg("b64");
    for (std::string& name : floats_) name = text_.reg("f32");
    fuel_ = text_.reg("b32");
    declare_functions(text_);
    text_.line(".shared .align 4 .b8 exchange[", 4 * threads, "];");
    text_.line("mov.b32 ", fuel_, ", ", fuel, ";");
    text_.load_input(longs_[0], "b64", 0);
    text_.load_input(longs_[1], "b64", 1);
    text_.line("mov.b64 {", words_[0], ", ", words_[1], "}, ", longs_[0], ";");
    text_.line("mov.b64 {", words_[2], ", ", words_[3], "}, ", longs_[1], ";");
    text_.line("mov.b32 ", words_[4], ", %lane; mov.b32 ", words_[5], ", %thread;");
    for (unsigned i = 0; i < floats_.size(); ++i) {
      text_.line("cvt.rn.f32.s32 ", floats_[i], ", ", words_[i], "; mul.rn.f32 ", floats_[i], ", ",
                 floats_[i], ", 0f3A83126F;");
    }
  }

  RandomProgram program() {
    for (unsigned phase = 0; phase < phases; ++phase) {
      block(3, nullptr);
      meet();
      meet();
      compare();
    }
    leaves_ = true;
    block(3, nullptr);
    block(2, nullptr);
    compare();
    RandomProgram program = text_.finish(0);
    common::SplitMix64 random(seed_);
    for (unsigned i = 0; i < ctas * threads * program.input_words; ++i) {
      // Small numbers, too: comparisons and trip counts depend on them.
      const std::uint64_t word = random.next();
      program.inputs.push_back(word % 3 == 0 ? word >> 32 & 0x0000'003F'0000'003F : word);
    }
    return program;
  }

 private:
  // Where `break` and `continue` go.
  struct Loop {
    std::string next, end;
  };

  std::string word() { return text_.one_of(words_names()); }
  std::vector<std::string> words_names() const { return {words_.begin(), words_.end()}; }
  std::string pick_float() { return floats_[text_.below(floats_.size())]; }
  std::string pick_long() { return longs_[text_.below(longs_.size())]; }

  // A number of 32 bits: the register that holds it.
  std::string expression(unsigned depth) {
    const unsigned choice = text_.below(14);
    if (depth == 0 || choice < 4) return leaf();
    const std::string a = expression(depth - 1), b = expression(depth - 1);
    const std::string d = text_.reg("b32");
    const auto two = [&](const char* operation) {
      text_.line(operation, " ", d, ", ", a, ", ", b, ";");
    };
    switch (choice) {
      case 4:
        two("add.u32");
        break;
      case 5:
        two("mul.lo.u32");
        break;
      case 6:
        two("xor.b32");
        break;
      case 7:
        two("sub.u32");
        break;
      case 8:
        text_.line("and.b32 ", d, ", ", b, ", 31; shr.u32 ", d, ", ", a, ", ", d, ";");
        break;
      case 9:
      case 10:
        text_.line("or.b32 ", d, ", ", b, ", 1; ", choice == 9 ? "div" : "rem", ".u32 ", d, ", ", a,
                   ", ", d, ";");
        break;
      case 11:
        text_.line("prmt.b32 ", d, ", ", a, ", ", b, ", ", text_.below(65536), ";");
        break;
      case 12:
        two(text_.chance(50) ? "min.s32" : "mul.hi.u32");
        break;
      default: {
        const std::string holds = condition(0);
        text_.line("selp.b32 ", d, ", ", a, ", ", b, ", ", holds, ";");
      }
    }
    return d;
  }

  std::string leaf() {
    const unsigned choice = text_.below(8);
    if (choice < 4) return word();
    if (choice == 4) return std::to_string(text_.random() >> 33 >> text_.below(30));
    if (choice == 5) return "%lane";
    const std::string d = text_.reg("b32");
    if (choice == 6) {
      text_.line("cvt.u32.u64 ", d, ", ", pick_long(), ";");
    } else {
      text_.line("mov.b32 ", d, ", ", pick_float(), ";");
    }
    return d;
  }

  // Never of constants alone, which PTX does not take everywhere.
  std::string in_register(const std::string& value) {
    if (value[0] == '%') return value;
    std::string d = text_.reg("b32");
    text_.line("mov.b32 ", d, ", ", value, ";");
    return d;
  }

  std::string condition(unsigned depth) {
    const std::string p = text_.reg("pred");
    if (text_.chance(20)) {
      static constexpr const char* comparisons[] = {"lt", "gt", "geu", "neu"};
      const std::string b = pick_float(), a = pick_float();
      text_.line("setp.", text_.one_of(comparisons), ".f32 ", p, ", ", a, ", ", b, ";");
      return p;
    }
    const std::string a = in_register(expression(depth));
    if (text_.chance(40)) {
      static constexpr unsigned masks[] = {1, 3, 5, 6, 7, 12, 16};
      const std::string d = text_.reg("b32");
      const unsigned other = text_.below(4);
      text_.line("and.b32 ", d, ", ", a, ", ", text_.one_of(masks), "; setp.ne.u32 ", p, ", ", d,
                 ", ", other, ";");
      return p;
    }
    static constexpr const char* comparisons[] = {"lt.u32", "lt.s32", "ge.u32", "gt.s32"};
    const std::string b = expression(depth);
    text_.line("setp.", text_.one_of(comparisons), " ", p, ", ", a, ", ", b, ";");
    return p;
  }

  void assign() {
    const unsigned choice = text_.below(10);
    if (choice < 5) {
      static constexpr const char* operations[] = {"add.u32", "xor.b32", "sub.u32"};
      const std::string value = expression(2), to = word();
      text_.line(text_.one_of(operations), " ", to, ", ", to, ", ", value, ";");
    } else if (choice == 5) {
      const std::string value = in_register(expression(2)), to = pick_long();
      text_.line("cvt.u64.u32 %wide, ", value, "; mad.lo.u64 ", to, ", ", to,
                 ", 6364136223846793005, %wide;");
    } else if (choice == 6) {
      const std::string value = in_register(expression(2)), to = pick_float();
      const std::string f = text_.reg("f32");
      text_.line("cvt.rn.f32.s32 ", f, ", ", value, "; fma.rn.f32 ", to, ", ", to, ", 0f3EBD70A4, ",
                 f, ";");
    } else if (choice == 7) {
      const std::string value = in_register(expression(1)), to = pick_float();
      const std::string f = text_.reg("f32");
      text_.line("and.b32 %word, ", value, ", 255; cvt.rn.f32.u32 ", f, ", %word; add.rn.f32 ", f,
                 ", ", f, ", 0f3FC00000; div.rn.f32 ", to, ", ", to, ", ", f, ";");
    } else {
      call(choice == 8);
    }
  }

  // A function by its pointer, or by its name. None calls itself: after such a call ptxas takes
  // lanes for converged that are not (handout/reference/ptxas.md).
  void call(bool is_indirect) {
    const std::string a = in_register(expression(1)), b = in_register(expression(1));
    const std::string to = word();
    text_.line("{ .param .b32 x; .param .b32 y; .param .b32 r; st.param.b32 [y], ", b, ";");
    if (is_indirect) {
      const std::string index = text_.reg("b32"), at = text_.reg("b64");
      text_.line("st.param.b32 [x], ", a, "; and.b32 ", index, ", ", word(), ", 3;");
      text_.line("mov.u64 ", at, ", functions; mad.wide.u32 ", at, ", ", index, ", 8, ", at,
                 "; ld.global.u64 ", at, ", [", at, "];");
      text_.line("kind: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);");
      text_.line("call (r), ", at, ", (x, y), kind;");
    } else {
      text_.line("st.param.b32 [x], ", a, "; call (r), function", text_.below(4), ", (x, y);");
    }
    text_.line("ld.param.b32 ", to, ", [r]; }");
  }

  void burn(const std::string& end) {
    const std::string p = text_.reg("pred");
    text_.line("sub.u32 ", fuel_, ", ", fuel_, ", 1; setp.eq.u32 ", p, ", ", fuel_, ", 0; @", p,
               " bra ", end, "; setp.gt.u32 ", p, ", ", fuel_, ", ", fuel, "; @", p, " bra ", end,
               ";");
  }

  void block(unsigned depth, const Loop* loop) {
    const unsigned statements = 1 + text_.below(3);
    for (unsigned i = 0; i < statements; ++i) statement(depth, loop);
  }

  void statement(unsigned depth, const Loop* loop) {
    const unsigned choice = depth == 0 ? 0 : text_.below(11);
    if (choice < 3) return assign();
    if (choice < 5) return branch(depth, loop);
    if (choice < 7) return counted_loop(depth);
    if (choice == 7) return multiway(depth);
    if (choice == 8 && loop != nullptr) {
      const std::string holds = condition(1);
      text_.line("@", holds, " bra ", text_.chance(50) ? loop->next : loop->end, ";");
      return;
    }
    if (choice == 9 && leaves_) return leave();
    post_checked_loop(depth);
  }

  void branch(unsigned depth, const Loop* loop) {
    const std::string otherwise = text_.label(), end = text_.label();
    const std::string holds = condition(1);
    text_.line("@!", holds, " bra ", otherwise, ";");
    block(depth - 1, loop);
    if (text_.chance(60)) {
      text_.line("bra ", end, ";");
      text_.line(otherwise, ":");
      block(depth - 1, loop);
    } else {
      text_.line(otherwise, ":");
    }
    text_.line(end, ":");
  }

  void counted_loop(unsigned depth) {
    static constexpr unsigned most[] = {3, 5, 9};
    const std::string head = text_.label();
    const Loop own{text_.label(), text_.label()};
    const std::string count = text_.reg("b32"), i = text_.reg("b32"), p = text_.reg("pred");
    const unsigned rounds = text_.one_of(most);
    text_.line("rem.u32 ", count, ", ", in_register(expression(1)), ", ", rounds, "; mov.b32 ", i,
               ", 0;");
    text_.line(head, ": setp.ge.u32 ", p, ", ", i, ", ", count, "; @", p, " bra ", own.end, ";");
    const std::string to = word();
    text_.line("add.u32 ", to, ", ", to, ", ", i, ";");
    block(depth - 1, &own);
    text_.line(own.next, ": add.u32 ", i, ", ", i, ", 1;");
    burn(own.end);
    text_.line("bra ", head, ";");
    text_.line(own.end, ":");
  }

  void post_checked_loop(unsigned depth) {
    const std::string head = text_.label();
    const Loop own{text_.label(), text_.label()};
    const std::string left = text_.reg("b32"), p = text_.reg("pred");
    text_.line("mov.b32 ", left, ", ", 2 + text_.below(5), ";");
    text_.line(head, ":");
    block(depth - 1, &own);
    text_.line(own.next, ": sub.u32 ", left, ", ", left, ", 1; setp.eq.u32 ", p, ", ", left,
               ", 0; @", p, " bra ", own.end, ";");
    burn(own.end);
    const std::string again = condition(1);
    text_.line("@", again, " bra ", head, ";");
    text_.line(own.end, ":");
  }

  void multiway(unsigned depth) {
    const unsigned ways = 3 + text_.below(3);
    const std::string end = text_.label(), index = text_.reg("b32"), table = text_.label();
    std::vector<std::string> labels;
    for (unsigned i = 0; i < ways; ++i) labels.push_back(text_.label());
    text_.line("rem.u32 ", index, ", ", in_register(expression(1)), ", ", ways, ";");
    std::string list;
    for (const std::string& label : labels) list += (list.empty() ? "" : ", ") + label;
    text_.line(table, ": .branchtargets ", list, ";");
    text_.line("brx.idx ", index, ", ", table, ";");
    for (const std::string& label : labels) {
      text_.line(label, ":");
      block(depth - 1, nullptr);
      if (text_.chance(70)) text_.line("bra ", end, ";");  // or falls through
    }
    text_.line(end, ":");
  }

  // Some threads end here.
  void leave() {
    const std::string holds = condition(1), rest = text_.label();
    text_.line("@!", holds, " bra ", rest, "; and.b32 %word, ", word(), ", 7; setp.ne.u32 ", holds,
               ", %word, 1; @", holds, " bra ", rest, ";");
    text_.checkpoint(word(), 32);
    text_.line("exit;");
    text_.line(rest, ":");
  }

  // All lanes of the warp, or of the CTA, exchange something.
  void meet() {
    text_.line("bar.warp.sync -1;");
    const std::string from = word(), to = word();
    const std::string d = text_.reg("b32"), p = text_.reg("pred");
    const auto take = [&] {
      text_.line(text_.chance(50) ? "add.u32 " : "xor.b32 ", to, ", ", to, ", ", d, ";");
    };
    switch (text_.below(9)) {
      case 0: {
        static constexpr const char* modes[] = {"idx", "bfly", "up", "down"};
        static constexpr unsigned segments[] = {0x1f, 0x101f, 0x181f, 0x1c1f};
        const char* mode = text_.one_of(modes);
        const bool is_up = mode[0] == 'u';
        const unsigned segment = text_.one_of(segments) & (is_up ? 0x1f00 : 0x1fff);
        const std::string lane =
            text_.chance(50) && mode[0] == 'i' ? d : std::to_string(text_.below(32));
        text_.line("and.b32 ", d, ", ", word(), ", 31; shfl.sync.", mode, ".b32 ", d, ", ", from,
                   ", ", lane, ", ", segment, ", -1;");
        return take();
      }
      case 1: {
        static constexpr const char* modes[] = {"all.pred", "any.pred", "uni.pred"};
        const std::string q = condition(1);
        text_.line("vote.sync.", text_.one_of(modes), " ", p, ", ", q, ", -1; selp.b32 ", d,
                   ", 3, 1, ", p, ";");
        return take();
      }
      case 2: {
        const std::string q = condition(1);
        text_.line("vote.sync.ballot.b32 ", d, ", ", q, ", -1;");
        return take();
      }
      case 3:
        text_.line("and.b32 %word, ", from, ", ", 1 + text_.below(7), "; match.any.sync.b32 ", d,
                   ", %word, -1;");
        return take();
      case 4:
        text_.line("shr.u32 %word, ", from, ", 31; match.all.sync.b32 ", d, "|", p,
                   ", %word, -1; @", p, " add.u32 ", d, ", ", d, ", 5;");
        return take();
      case 5: {
        static constexpr const char* operations[] = {"add.u32", "min.s32", "max.u32",
                                                     "and.b32", "or.b32",  "xor.b32"};
        text_.line("redux.sync.", text_.one_of(operations), " ", d, ", ", from, ", -1;");
        return take();
      }
      case 6:
        return meet_in_two_parts(from, to);
      case 7: {
        static constexpr const char* operations[] = {"popc.u32", "and.pred", "or.pred"};
        const unsigned operation = text_.below(3);
        const std::string q = condition(1);
        text_.line("bar", ".red.", operations[operation], " ", operation == 0 ? d : p, ", 0, ", q,
                   ";");
        if (operation != 0) text_.line("selp.b32 ", d, ", 7, 2, ", p, ";");
        return take();
      }
      default: {
        const std::string at = text_.reg("b32");
        text_.line("mov.u32 ", at, ", exchange; mad.lo.u32 %word, %tid32, 4, ", at, ";");
        text_.line("bar.sync 0; st.shared.b32 [%word], ", from, "; bar.sync 0;");
        text_.line("rem.u32 %word, ", to, ", ", threads, "; mad.lo.u32 ", at, ", %word, 4, ", at,
                   "; ld.shared.b32 ", d, ", [", at, "]; bar.sync 0;");
        return take();
      }
    }
  }

  // Lanes part by a vote and meet with those of their part.
  void meet_in_two_parts(const std::string& from, const std::string& to) {
    const std::string mask = text_.reg("b32"), first = text_.reg("b32"), d = text_.reg("b32");
    const std::string q = condition(1), otherwise = text_.label(), end = text_.label();
    text_.line("vote.sync.ballot.b32 ", mask, ", ", q, ", -1;");
    text_.line("@!", q, " bra ", otherwise, ";");
    text_.line("brev.b32 ", first, ", ", mask, "; clz.b32 ", first, ", ", first, ";");
    text_.line("shfl.sync.idx.b32 ", d, ", ", from, ", ", first, ", 31, ", mask, ";");
    text_.line("xor.b32 ", to, ", ", to, ", ", d, "; and.b32 %word, ", from, ", 6;");
    text_.line("match.any.sync.b32 ", d, ", %word, ", mask, "; add.u32 ", to, ", ", to, ", ", d,
               "; bra ", end, ";");
    text_.line(otherwise, ": not.b32 ", mask, ", ", mask, "; redux.sync.add.u32 ", d, ", ", from,
               ", ", mask, "; sub.u32 ", to, ", ", to, ", ", d, ";");
    text_.line(end, ": bar.warp.sync -1;");
  }

  void compare() {
    for (const std::string& name : words_) text_.checkpoint(name, 32);
    for (const std::string& name : longs_) text_.checkpoint(name, 64);
    for (const std::string& name : floats_) {
      text_.line("mov.b32 %word, ", name, ";");
      text_.checkpoint("%word", 32);
    }
  }

  KernelText text_;
  std::uint64_t seed_;
  std::array<std::string, 6> words_;
  std::array<std::string, 2> longs_;
  std::array<std::string, 3> floats_;
  std::string fuel_;
  bool leaves_ = false;
};

}  // namespace

RandomProgram random_flow(std::uint64_t seed) {
  return Flow(seed).program();
}

}  // namespace conformance
