#include "emulator/runtime/state/kernel_digest.h"

#include <gtest/gtest.h>

#include <string>

namespace tmaemu::runtime {
namespace {

// As nvcc writes it: a kernel `name`, mangled, the `number`th of its file, at some line.
std::string kernel(const std::string& name, int number, const std::string& body) {
  return ".visible .entry _Z" + name + "(\n\t.param .u64 _Z" + name + "_param_0\n)\n{\n" +
         "\t.shared .align 4 .b8 _ZZ" + name + "E4tile[4096];\n\t.loc\t1 " +
         std::to_string(10 * number) + " 3\n" + body + "$L__BB" + std::to_string(number) +
         "_2:\n\tret;\n\n}\n";
}

const std::string ptx = kernel("5firstPi", 0, "\tmov.u32 \t%r1, 1;\n") +
                        kernel("6secondPi", 1, "\tmov.u32 \t%r1, 1;\n") +
                        kernel("5thirdPi", 2, "\tmov.u32 \t%r1, 2;\n");

TEST(TheDigestOfAKernel, IsTheSameUnderAnotherName) {
  EXPECT_EQ(digest_of_kernel(ptx, "_Z5firstPi"), digest_of_kernel(ptx, "_Z6secondPi"));
}

TEST(TheDigestOfAKernel, IsAnotherForOtherCode) {
  EXPECT_NE(digest_of_kernel(ptx, "_Z5firstPi"), digest_of_kernel(ptx, "_Z5thirdPi"));
}

TEST(TheDigestOfAKernel, IsNothingOfAKernelThatIsNotThere) {
  EXPECT_EQ(digest_of_kernel(ptx, "_Z5fourthPi"), 0U);
}

}  // namespace
}  // namespace tmaemu::runtime
