// What kernels are called where their work is told.
#include "emulator/diagnostics/kernel_name.h"

#include <gtest/gtest.h>

namespace tmaemu {
namespace {

TEST(KernelNames, LoseResultAndParameters) {
  EXPECT_EQ(kernel_name("_Z4copyPKfPf"), "copy");
  EXPECT_EQ(kernel_name("_Z4copyILi4EEvPKfPf"), "copy<4>");
  EXPECT_EQ(kernel_name("_ZN4labs4copyEPf"), "labs::copy");
  EXPECT_EQ(kernel_name("_ZN12_GLOBAL__N_14copyEPf"), "(anonymous namespace)::copy");
  EXPECT_EQ(kernel_name("plain_c"), "plain_c");
}

}  // namespace
}  // namespace tmaemu
