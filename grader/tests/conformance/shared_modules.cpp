#include "tests/conformance/shared_modules.h"

#include <algorithm>
#include <random>
#include <span>

namespace conformance {
namespace {

// The same numbers with every standard library, which its distributions are not.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned end) { return static_cast<unsigned>(engine_() >> 33) % end; }
  bool one_in(unsigned n) { return below(n) == 0; }
  template <class T>
  const T& from(std::span<const T> values) {
    return values[below(static_cast<unsigned>(values.size()))];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (unsigned i = static_cast<unsigned>(values.size()); i > 1; --i) {
      std::swap(values[i - 1], values[below(i)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

struct Variable {
  std::string name;
  std::string declaration;
  unsigned word = 0;
};

struct Function {
  std::string name;
  std::string linkage;
  bool is_kernel = false;
  std::vector<Variable> variables;
  std::vector<Variable> named;  // its own and the module's
  std::vector<std::string> callees;
  std::vector<std::string> held;  // functions whose address it stores
  bool calls_pointer = false;
};

class ModuleGenerator {
 public:
  explicit ModuleGenerator(unsigned seed) : draw_(seed) {}

  SharedModule generate() {
    draw_module_variables();
    const unsigned functions = draw_.below(4);
    const unsigned kernels = 1 + draw_.below(4);
    for (unsigned i = 0; i < functions + kernels; ++i) {
      functions_.push_back(draw_function(i >= functions));
    }
    SharedModule module;
    module.text = text();
    module.words = words_;
    for (const Function& function : functions_) {
      if (function.is_kernel) module.kernels.push_back(function.name);
    }
    std::ranges::sort(module.kernels);
    return module;
  }

 private:
  // Names of a kind that sort otherwise than they are drawn.
  std::string new_name(const std::string& kind) {
    return std::string(1, static_cast<char>('a' + draw_.below(26))) + kind +
           std::to_string(names_++);
  }

  std::string alignment(unsigned most) {
    return ".shared .align " + std::to_string(1u << draw_.below(most + 1)) + " .b8 ";
  }

  Variable draw_variable(const std::string& linkage, const std::string& kind) {
    static constexpr unsigned sizes[] = {1,  2,  3,  4,  5,  8,   12,  16,  17,
                                         20, 33, 64, 96, 99, 100, 128, 512, 1000};
    Variable variable{new_name(kind), {}, words_++};
    const std::string size = std::to_string(draw_.from<unsigned>(sizes));
    variable.declaration = linkage + alignment(8) + variable.name + "[" + size + "];\n";
    return variable;
  }

  void draw_module_variables() {
    static const std::string linkages[] = {"", "", "", ".visible ", ".weak ", ".extern "};
    for (unsigned i = draw_.below(5); i > 0; --i) {
      module_variables_.push_back(draw_variable(draw_.from<std::string>(linkages), "m"));
    }
    static constexpr unsigned counts[] = {0, 0, 1, 1, 2, 3};
    for (unsigned i = draw_.from<unsigned>(counts); i > 0; --i) {
      Variable array{new_name("d"), {}, words_++};
      array.declaration = ".extern " + alignment(10) + array.name + "[];\n";
      module_variables_.push_back(array);
    }
    draw_.shuffle(module_variables_);
  }

  Function draw_function(bool is_kernel) {
    static const std::string linkages[] = {"", "", "", ".visible ", ".weak "};
    static const std::string kernel_linkages[] = {".visible ", ".visible ", ".weak ", ""};
    Function function;
    function.is_kernel = is_kernel;
    function.name = new_name(is_kernel ? "k" : "f");
    function.linkage =
        draw_.from<std::string>(is_kernel ? std::span<const std::string>(kernel_linkages)
                                          : std::span<const std::string>(linkages));
    for (unsigned i = draw_.below(5); i > 0; --i) {
      function.variables.push_back(draw_variable("", "v"));
      if (!draw_.one_in(4)) function.named.push_back(function.variables.back());
    }
    for (const Variable& variable : module_variables_) {
      if (draw_.one_in(3)) function.named.push_back(variable);
    }
    draw_.shuffle(function.named);
    for (const Function& callee : functions_) {
      if (callee.is_kernel) continue;
      if (draw_.one_in(3)) function.callees.push_back(callee.name);
      if (draw_.one_in(20)) function.held.push_back(callee.name);
    }
    function.calls_pointer = draw_.one_in(20);
    return function;
  }

  std::string text() {
    std::string text = ".version 9.0\n.target sm_90a\n.address_size 64\n.global .u64 pointer;\n";
    for (const Variable& variable : module_variables_) text += variable.declaration;
    // Functions are declared, all before they are called, in one order and defined in another.
    draw_.shuffle(functions_);
    for (const Function& function : functions_) {
      if (!function.is_kernel) {
        text += function.linkage + ".func " + function.name + "(.param .u64 results);\n";
      }
    }
    draw_.shuffle(functions_);
    for (const Function& function : functions_) text += text_of(function);
    return text;
  }

  std::string text_of(const Function& function) {
    std::string text = function.linkage + (function.is_kernel ? ".entry " : ".func ") +
                       function.name + "(.param .u64 results)\n{\n";
    text += ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %never;\n";
    for (const Variable& variable : function.variables) text += variable.declaration;
    text += "ld.param.u64 %rd1, [results];\nsetp.eq.u64 %never, %rd1, 0;\n";
    if (draw_.one_in(4)) text += "@%never bra END;\n";
    for (const Variable& variable : function.named) text += use(variable);
    for (const std::string& callee : function.callees) text += call(callee, "");
    for (const std::string& held : function.held) {
      text += "mov.u64 %rd2, " + held + ";\nst.global.u64 [pointer], %rd2;\n";
    }
    if (function.calls_pointer) text += "ld.global.u64 %rd3, [pointer];\n" + call("%rd3", "P");
    return text + "END:\nret;\n}\n";
  }

  std::string use(const Variable& variable) {
    if (draw_.one_in(6)) return "@%never st.shared.u8 [" + variable.name + "], %r1;\n";
    return "mov.u32 %r1, " + variable.name + ";\nst.global.u32 [%rd1+" +
           std::to_string(4 * variable.word) + "], %r1;\n";
  }

  // Pointers are null, and never called.
  static std::string call(const std::string& callee, const std::string& prototype) {
    std::string text = "{\n.param .u64 argument;\nst.param.u64 [argument], %rd1;\n";
    if (!prototype.empty()) {
      text += prototype + ": .callprototype _ (.param .u64 _);\n@%never call " + callee +
              ", (argument), " + prototype;
    } else {
      text += "call.uni " + callee + ", (argument)";
    }
    return text + ";\n}\n";
  }

  Draw draw_;
  unsigned names_ = 0;
  unsigned words_ = 0;
  std::vector<Variable> module_variables_;
  std::vector<Function> functions_;
};

}  // namespace

SharedModule shared_module(unsigned number) {
  return ModuleGenerator(number).generate();
}

}  // namespace conformance
