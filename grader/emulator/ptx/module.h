// A PTX module as data: what the parser produces and the decoder consumes. Names are the PTX ISA's.
// Everything is kept that a diagnostic may want to show: PTX lines, source lines, inlining chains.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmaemu::ptx {

// PTX ISA "Fundamental Types", "Packed Data Types" and "Alternate Floating-Point Data Formats".
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f32x2,
  f64,
};

// Bytes one value of the type takes in memory; 0 for none and pred.
std::size_t size_of(Type type);
// The type a modifier names ("u32", without the dot); nullopt where it names none.
std::optional<Type> type_from_name(std::string_view name);
std::string_view name_of(Type type);

enum class StateSpace : std::uint8_t { none, reg, constant, global, local, param, shared };

// A place in the student's source. `inlined_at` is an index into Module::inline_sites (the call
// that inlined this code), or -1. line 0 means that nvcc gave the instruction no source line.
struct SourceLocation {
  std::int32_t file = -1;  // index into Module::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::int32_t inlined_at = -1;
  bool is_near = false;  // the instruction has no line of its own: this is one nearby
  bool operator==(const SourceLocation&) const = default;
};

struct InlineSite {
  SourceLocation call;   // where the inlined function was called; has its own inlined_at
  std::string function;  // name of the function that was inlined, mangled as PTX has it; may be ""
  // Other sites that may be meant as well: the compiler does not say which of several calls the
  // code was inlined through (inline_chains.h). Each is sure of its own.
  std::vector<std::int32_t> alternatives = {};
};

// A typed variable: module-scope, function-scope, or a parameter.
struct Variable {
  std::string name;
  StateSpace space = StateSpace::none;
  Type type = Type::none;
  std::size_t alignment = 1;      // bytes; natural alignment of the type where PTX gives none
  std::size_t element_count = 1;  // product of the array's dimensions; 1 for a scalar
  std::size_t vector_width = 1;   // 2 or 4 for .v2 and .v4
  bool is_unsized_array = false;  // `extern .shared .b8 x[]`
  bool is_extern = false;
  bool is_visible = false;
  bool is_weak_or_common = false;
  bool is_managed = false;

  // Initializer. `bytes` is shorter than the object where the rest is zero; empty without one.
  // Addresses of other symbols inside it are patched in at load time.
  struct Relocation {
    std::size_t offset = 0;  // bytes from the variable's start
    std::string symbol;
    std::int64_t addend = 0;
    bool is_generic = false;      // generic(symbol)
    std::uint8_t size = 8;        // bytes to patch: 4 or 8 for an address, 1 for a byte of one
    std::uint8_t byte_shift = 0;  // bits the address is shifted right: 8 for 0xFF00(symbol)
  };
  std::vector<std::byte> bytes;
  std::vector<Relocation> relocations;

  std::size_t size() const { return size_of(type) * element_count * vector_width; }
  bool is_scalar() const { return element_count == 1 && vector_width == 1; }
  int line = 0;  // line in the PTX text
};

// One operand as written.
struct Operand {
  enum class Kind : std::uint8_t {
    reg,      // register or special register; `name` holds it ("%r1", "%tid.x", "%v.x")
    integer,  // integer immediate; `bits` holds its two's complement in 64 bits
    float32,  // 0fXXXXXXXX; `bits` holds the 32-bit pattern
    float64,  // 0dXXXXXXXXXXXXXXXX or a decimal with a point; `bits` holds the 64-bit pattern, also
              // where the instruction works on f32
    symbol,   // variable, function or label; `name` holds it, `offset` what is added
    address,  // [base+offset]; base in `name` (register, symbol, or empty for an absolute one)
    vector,   // {a, b, ...} in `elements`
    sink,     // _
    tensor_address,  // [tensorMap, {c0, c1, ...}]: in `elements` the map's address, as an operand
                     // of kind address, then what follows it, the vector of coordinates last
    call_list,       // (a, b, ...) of a call; parts in `elements`
  };
  Kind kind = Kind::sink;
  bool negated = false;           // !%p, and -%r
  bool base_is_register = false;  // for address
  std::string_view name;
  std::string_view part;         // the b1 of %r.b1, the h10 of %r.h10; else empty
  std::string_view second_name;  // the q of a p|q destination, "_" where it is a sink; else empty
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::vector<Operand> elements;
};

struct Instruction {
  std::string_view mnemonic;            // whole, as written: "ld.global.v2.u32"
  std::vector<std::string_view> parts;  // split at the dots, first is the opcode: {"ld", ...};
                                        // "shared::cta" stays one part
  std::optional<Operand> guard;         // @p or @!p (negated)
  std::vector<Operand> operands;
  SourceLocation source;
  int line = 0;  // line in the PTX text

  // Its operands are written in another way than those of the others, and name functions.
  bool is_call() const { return parts.front() == "call"; }
};

// A label is a position in Function::body: the index of the instruction that follows it.
struct Label {
  std::string_view name;
  std::size_t position = 0;
};

// `name: .branchtargets L0, L1;` and `name: .callprototype ...;`
struct BranchTargets {
  std::string_view name;
  std::vector<std::string_view> labels;
};
// `name: .calltargets f, g;`
struct CallTargets {
  std::string_view name;
  std::vector<std::string_view> functions;
};
struct CallPrototype {
  std::string_view name;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
};

// `.reg .b32 %r<13>;` declares %r0 to %r12. A single register has count 0 and its full name.
// Registers of nested scopes are hoisted into the function; the parser renames where two scopes
// use one name, so that within a function a name means one register. A new name has an apostrophe,
// which PTX's own names cannot have: P1 becomes P1'3.
struct RegisterDeclaration {
  std::string_view name;
  Type type = Type::none;
  std::size_t count = 0;
  std::size_t vector_width = 1;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool is_extern = false;  // declared, not defined here
  bool is_visible = false;
  bool is_weak = false;
  bool is_noreturn = false;
  std::vector<Variable> results;
  std::vector<Variable> parameters;
  std::vector<RegisterDeclaration> registers;
  std::vector<Variable> variables;  // .local, .shared, .param declared in the body (scopes hoisted,
                                    // renamed as registers are)
  std::vector<Instruction> body;
  std::vector<Label> labels;
  std::vector<BranchTargets> branch_targets;
  std::vector<CallTargets> call_targets;
  std::vector<CallPrototype> prototypes;

  // Performance-tuning directives; 0 where absent.
  std::array<std::uint32_t, 3> max_threads{};       // .maxntid
  std::array<std::uint32_t, 3> required_threads{};  // .reqntid
  std::array<std::uint32_t, 3> required_cluster{};  // .reqnctapercluster
  std::uint32_t max_cluster_rank = 0;               // .maxclusterrank
  std::uint32_t min_ctas_per_sm = 0;                // .minnctapersm
  std::uint32_t max_registers = 0;                  // .maxnreg
  bool explicit_cluster = false;                    // .explicitcluster
  bool blocks_are_clusters = false;                 // .blocksareclusters
  int line = 0;
};

// `.alias name, target;`: another name for a function of this module.
struct Alias {
  std::string name;
  std::string target;
};

struct Module {
  // The PTX itself; every string_view above points into it or into `names`.
  std::string text;
  std::vector<std::unique_ptr<std::string>> names;  // renamed registers and the like

  int version_major = 0;
  int version_minor = 0;
  std::string target;              // "sm_90a"
  bool is_for_debugger = false;    // .target sm_90a, debug: `nvcc -G` wrote it
  std::vector<std::string> files;  // .file table; index is SourceLocation::file, not PTX's number
  std::vector<InlineSite> inline_sites;
  std::vector<Variable> variables;
  std::vector<Function> functions;  // a name once: declarations give way to the definition
  std::vector<Alias> aliases;

  // The text of a PTX line (1 is the first), without its newline; empty where there is no such
  // line. The first call reads the whole text; threads may call it at once.
  std::string_view line_text(int line) const;

 private:
  mutable std::once_flag line_index_built_;
  mutable std::vector<std::size_t> line_starts_;
};

}  // namespace tmaemu::ptx
