// Device code that cannot run gives CUDA's error code and one explanation on stderr.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "emulator/runtime/state/library.h"
#include "emulator/runtime/state/module.h"
#include "tests/emulator/fatbin_samples.h"

namespace tmaemu::runtime {
namespace {

using Buffer = std::vector<std::byte>;

constexpr std::size_t container_header = 16;
constexpr std::size_t entry_kind = container_header;
constexpr std::size_t entry_header = 64;
constexpr std::uint16_t machine_code = 2;

struct Loaded {
  Error error;
  std::string message;
};

template <class Action>
Loaded captured(Action&& action) {
  testing::internal::CaptureStderr();
  const Error error = action();
  return {error, testing::internal::GetCapturedStderr()};
}

template <std::size_t size>
Buffer sample(const unsigned char (&bytes)[size]) {
  const auto view = std::as_bytes(std::span(bytes));
  return {view.begin(), view.end()};
}

template <class T>
void put(Buffer& buffer, std::size_t offset, T value) {
  ASSERT_LE(offset + sizeof value, buffer.size());
  std::memcpy(buffer.data() + offset, &value, sizeof value);
}

Loaded load(const Buffer& fat_binary) {
  Module module{std::span<const std::byte>(fat_binary)};
  return captured([&] { return module.load(); });
}

Loaded load(const std::string& ptx) {
  Module module(ptx);
  return captured([&] { return module.load(); });
}

Loaded load_file(std::span<const std::byte> bytes) {
  const auto path =
      std::filesystem::temp_directory_path() / ("tmaemu-image-" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  Module* module = nullptr;
  Loaded loaded = captured([&] { return load_module_file(path.c_str(), module); });
  std::filesystem::remove(path);
  return loaded;
}

Loaded resolve(const std::string& declarations, const std::string& parameters,
               const std::string& body) {
  Module module(".version 9.0\n.target sm_90a\n.address_size 64\n" + declarations +
                "\n.visible .entry k(" + parameters + ")\n{\n" + body + "\nret;\n}\n");
  Function* function = module.function("k");
  Loaded loaded = captured([&] { return function->resolve(); });
  Registry::instance().remove(&module);
  return loaded;
}

bool says(const Loaded& loaded, const std::string& part) {
  return loaded.message.find(part) != std::string::npos;
}

// One paragraph that starts with the emulator's name.
std::size_t explanations(const Loaded& loaded) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = loaded.message.find("tmaemu: ", at)) != std::string::npos; ++at) {
    ++count;
  }
  return count;
}

TEST(DeviceImage, WholeOneLoads) {
  const Loaded loaded = load(sample(fatbin::testing::zstandard_image));
  EXPECT_EQ(loaded.error, Error::success) << loaded.message;
}

TEST(DeviceImage, TruncatedOneIsAnInvalidImage) {
  Buffer image = sample(fatbin::testing::plain_image);
  image.resize(image.size() - 20);
  const Loaded loaded = load(image);
  EXPECT_EQ(loaded.error, Error::invalid_image);
  EXPECT_EQ(explanations(loaded), 1u) << loaded.message;
}

TEST(DeviceImage, DamagedZstandardIsAnInvalidImage) {
  Buffer image = sample(fatbin::testing::zstandard_image);
  image[image.size() - 40] ^= std::byte{0xFF};
  const Loaded loaded = load(image);
  EXPECT_EQ(loaded.error, Error::invalid_image);
  EXPECT_TRUE(says(loaded, "Zstandard")) << loaded.message;
}

TEST(DeviceImage, DamagedLz4IsAnInvalidImage) {
  Buffer image = sample(fatbin::testing::lz4_image);
  for (std::size_t i = container_header + 80; i < container_header + 120; ++i) {
    image[i] = std::byte{0xFF};
  }
  const Loaded loaded = load(image);
  EXPECT_EQ(loaded.error, Error::invalid_image);
  EXPECT_TRUE(says(loaded, "LZ4")) << loaded.message;
}

TEST(DeviceImage, MachineCodeAloneIsNoKernelImage) {
  Buffer image = sample(fatbin::testing::plain_image);
  put(image, entry_kind, machine_code);
  const Loaded loaded = load(image);
  EXPECT_EQ(loaded.error, Error::no_kernel_image);
  EXPECT_TRUE(says(loaded, "code=[sm_90a,compute_90a]")) << loaded.message;
}

TEST(DeviceImage, PtxThatDoesNotParseIsInvalidPtx) {
  const Loaded loaded = load(".version 9.0\n.target sm_90a\n.entry k() { mov.u32 ; ) }\n");
  EXPECT_EQ(loaded.error, Error::invalid_ptx);
  EXPECT_TRUE(says(loaded, "PTX line 3")) << loaded.message;
}

TEST(DeviceImage, NewerPtxIsAnUnsupportedVersion) {
  const Loaded loaded = load(".version 10.2\n.target sm_90a\n.newdirective\n");
  EXPECT_EQ(loaded.error, Error::unsupported_ptx_version);
  EXPECT_TRUE(says(loaded, "version 10.2")) << loaded.message;
}

TEST(DeviceImage, EveryPtxOfCuda13IsOfASupportedVersion) {
  const Loaded loaded = load(".version 9.9\n.target sm_90a\n.address_size 64\n");
  EXPECT_EQ(loaded.error, Error::success) << loaded.message;
}

TEST(DeviceImage, FailureIsExplainedOnce) {
  Module module(".version 10.0\n");
  captured([&] { return module.load(); });
  const Loaded again = captured([&] { return module.load(); });
  EXPECT_EQ(again.error, Error::unsupported_ptx_version);
  EXPECT_EQ(again.message, "");
}

TEST(DeviceImageFile, TruncatedFatBinaryIsAnInvalidImage) {
  const Buffer image = sample(fatbin::testing::plain_image);
  for (const std::size_t size : {std::size_t{2}, std::size_t{10}, entry_header, image.size() - 1}) {
    EXPECT_EQ(load_file(std::span(image).first(size)).error, Error::invalid_image) << size;
  }
}

TEST(DeviceImageFile, WrapperIsAnInvalidImage) {
  const Buffer wrapper(sizeof(FatBinaryWrapper), std::byte{0x41});
  Buffer image = wrapper;
  put(image, 0, wrapper_magic);
  EXPECT_EQ(load_file(image).error, Error::invalid_image);
}

TEST(KernelLimits, TooManyParametersAreInvalidPtx) {
  const Loaded resolved = resolve("", ".param .b8 p[32765]", "");
  EXPECT_EQ(resolved.error, Error::invalid_ptx);
  EXPECT_TRUE(says(resolved, "32765 bytes of parameters")) << resolved.message;
}

TEST(KernelLimits, TooMuchStaticSharedMemoryIsInvalidPtx) {
  const Loaded resolved =
      resolve(".shared .align 4 .b8 s[49156];", "", ".reg .b32 %r; mov.u32 %r, s;");
  EXPECT_EQ(resolved.error, Error::invalid_ptx);
  EXPECT_TRUE(says(resolved, "49156 bytes of static shared memory")) << resolved.message;
  EXPECT_TRUE(says(resolved, "or dynamic shared memory")) << resolved.message;
}

TEST(KernelLimits, TooMuchLocalMemoryIsInvalidPtx) {
  const Loaded resolved =
      resolve("", "", ".local .align 16 .b8 l[524304]; .reg .b64 %r; mov.u64 %r, l;");
  EXPECT_EQ(resolved.error, Error::invalid_ptx);
  EXPECT_TRUE(says(resolved, "524304 bytes of local memory")) << resolved.message;
}

TEST(KernelLimits, WhatFitsResolves) {
  const Loaded resolved = resolve(".shared .align 4 .b8 s[49152];", ".param .b8 p[32764]",
                                  ".reg .b32 %r; mov.u32 %r, s;");
  EXPECT_EQ(resolved.error, Error::success) << resolved.message;
}

}  // namespace
}  // namespace tmaemu::runtime
