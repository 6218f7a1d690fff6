// Whatever the bytes, the parser answers: a module or an error, in bounded time and memory.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

#include "emulator/ptx/parser.h"
#include "tests/emulator/ptx_test_support.h"

namespace tmaemu::ptx {
namespace {

// A little of everything that the grammar has.
constexpr std::string_view sample = R"(.version 9.0
.target sm_90a, debug
.address_size 64
.extern .func (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.global .align 4 .b8 table[48] = {1, 0, 0, 0, 2, 0xFF(k), 0xFF00(generic(x)+4)};
.global .align 8 .u64 pointers[3] = {generic(table)+20, 0, f};
.const .v2 .f32 c[][2] = {{{0f3F800000, 1.5}, {2, -3.25e1}}};
.extern .shared .align 128 .b8 dyn[];
.func (.param .b32 func_retval0) f(.param .b32 f_param_0) .noreturn
{
	.reg .b32 %r<4>;
	ret;
}
.visible .entry k(
	.param .u64 .ptr .global .align 16 k_param_0,
	.param .align 128 .b8 k_param_1[128]
)
.maxntid 256, 1, 1
.reqnctapercluster 2, 1, 1
{
	.local .align 8 .b8 	__local_depot0[48];
	.reg .pred %p<9>;
	.reg .b64 %rd<10>;
	.loc	1 23 0
	.loc 1 25 93, function_name $L__info_string0, inlined_at 1 23 0
$L__BB0_1: /* a comment */
	.pragma "nounroll";
	@!%p1 bra $L__BB0_1;
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 [param0+0], %rd1;
	prototype_8 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[16]);
	call.uni (retval0), %rd2, (param0, 3), prototype_8;
	}
	{ .reg .b32 temp_param_reg; .reg .b64 %rd<3>; mov.b64 {temp_param_reg, _}, %rd1; }
	ts: .branchtargets $L__BB0_1, DONE;
	brx.idx %rd3, ts;
	cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%rd1], [%rd2, {%rd3,1,-2,0x3U}], [%rd4+-8], {%rd5,%rd6};
	shfl.sync.idx.b32 %rd1|%p2, %rd3, (1 << 4) - 1 ? 2 : ~3, WARP_SZ, -1;
	setp.eq.and.u64 %p1|_, %rd1, table+4, !%p3;
DONE: ret;
}
.file	1 "/tmp/a.cu"
.section	.debug_str
{
$L__info_string0:
.b8 95,90,78,49,0
.b8 1
}
)";

// The tokens that a mutation may put in any place.
constexpr std::string_view tokens[] = {"{",
                                       "}",
                                       "(",
                                       ")",
                                       "[",
                                       "]",
                                       ",",
                                       ";",
                                       ":",
                                       "<",
                                       ">",
                                       "=",
                                       "@",
                                       "!",
                                       "|",
                                       "+",
                                       "-",
                                       "*",
                                       "/",
                                       "\"",
                                       ".reg",
                                       ".b8",
                                       ".param",
                                       ".v4",
                                       "_",
                                       "%r<9>",
                                       "0x",
                                       "0f3F800000",
                                       "99999999999999999999",
                                       "4294967295",
                                       "-1",
                                       "1e999",
                                       "generic(",
                                       "/*",
                                       "//",
                                       "\n",
                                       ".loc",
                                       ".section",
                                       ".align",
                                       "$",
                                       "%",
                                       "call",
                                       std::string_view("\0", 1),
                                       "\x80",
                                       "'"};

// A result either way; what it says is not the question here.
void parse_whatever(const std::string& text) {
  const auto result = parse(text);
  EXPECT_TRUE(result.ok() || !result.error().message.empty());
}

TEST(PtxRobustness, SampleItselfParses) {
  const auto result = parse(std::string(sample));
  EXPECT_TRUE(result.ok()) << result.error().message;
}

TEST(PtxRobustness, EveryTruncationIsAnswered) {
  for (std::size_t length = 0; length < sample.size(); ++length) {
    parse_whatever(std::string(sample.substr(0, length)));
  }
}

TEST(PtxRobustness, ChangedBytesAreAnswered) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(sample);
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    parse_whatever(text);
  }
}

TEST(PtxRobustness, InsertedTokensAreAnswered) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    std::string text(sample);
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes) {
      text.insert(random() % text.size(), tokens[random() % std::size(tokens)]);
    }
    parse_whatever(text);
  }
}

TEST(PtxRobustness, MovedPiecesAreAnswered) {
  std::mt19937 random(3);
  for (int i = 0; i < 10000; ++i) {
    std::string text(sample);
    const std::string piece = text.substr(random() % text.size(), random() % 200);
    text.insert(random() % text.size(), piece);
    text.erase(random() % text.size(), random() % 40);
    parse_whatever(text);
  }
}

TEST(PtxRobustness, LongRunsOfOneTokenAreAnswered) {
  for (const std::string_view token : tokens) {
    for (const std::string_view before : {"", ".global .u32 x = ", ".entry k() { mov.u32 "}) {
      std::string text = testing::header + std::string(before);
      for (int i = 0; i < 20000; ++i) text += token;
      parse_whatever(text);
    }
  }
}

}  // namespace
}  // namespace tmaemu::ptx
