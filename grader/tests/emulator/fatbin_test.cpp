// Finding and unpacking the PTX in fat binaries: nvcc's own, and ones that nobody should write.
#include "emulator/fatbin/fatbin.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/emulator/fatbin_samples.h"

namespace tmaemu::fatbin {
namespace {

using Buffer = std::vector<std::byte>;

constexpr std::size_t container_header = 16;
constexpr std::size_t entry_header = 64;
constexpr std::size_t flags_offset = container_header + 40;
constexpr std::size_t unpacked_size_offset = container_header + 56;

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

// An entry whose header has a name behind its fixed part.
Buffer make_entry(std::uint16_t kind, std::uint32_t sm, const std::string& payload,
                  const std::string& name = "") {
  Buffer entry(entry_header + name.size() + payload.size());
  put(entry, 0, kind);
  put(entry, 4, static_cast<std::uint32_t>(entry_header + name.size()));
  put(entry, 8, std::uint64_t{payload.size()});
  put(entry, 28, sm);
  put(entry, 32, static_cast<std::uint32_t>(entry_header));
  put(entry, 36, static_cast<std::uint32_t>(name.size()));
  std::memcpy(entry.data() + entry_header, name.data(), name.size());
  std::memcpy(entry.data() + entry_header + name.size(), payload.data(), payload.size());
  return entry;
}

Buffer make_container(const std::vector<Buffer>& entries) {
  Buffer container(container_header);
  for (const Buffer& entry : entries) container.insert(container.end(), entry.begin(), entry.end());
  put(container, 0, std::uint32_t{0xBA55ED50});
  put(container, 4, std::uint16_t{1});
  put(container, 6, std::uint16_t{container_header});
  put(container, 8, std::uint64_t{container.size() - container_header});
  return container;
}

std::string error_of(const Buffer& image) {
  const auto result = read_ptx(image);
  if (result.ok()) ADD_FAILURE() << "this should be refused";
  return result.ok() ? std::string() : result.error().message;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class FatbinSample : public ::testing::TestWithParam<Buffer> {};

TEST_P(FatbinSample, HoldsThePtxOfItsKernel) {
  const auto images = read_ptx(GetParam());
  ASSERT_TRUE(images.ok()) << images.error().message;
  ASSERT_EQ(images->size(), 1u);
  EXPECT_EQ(images->front().sm, 90);
  EXPECT_TRUE(contains(images->front().text, ".visible .entry _Z6answerPi("));
  EXPECT_EQ(images->front().text.find('\0'), std::string::npos);
}

TEST_P(FatbinSample, TruncationIsAnError) {
  for (std::size_t size = 0; size < GetParam().size(); ++size) {
    EXPECT_FALSE(read_ptx(std::span(GetParam()).first(size)).ok()) << size << " bytes";
  }
}

TEST_P(FatbinSample, ChangedBytesAreAnswered) {
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    Buffer image = GetParam();
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      // Three of four hit the headers.
      const std::size_t range = random() % 4 == 0 ? image.size() : container_header + entry_header;
      image[random() % range] = static_cast<std::byte>(random());
    }
    const auto result = read_ptx(image);
    EXPECT_TRUE(result.ok() || !result.error().message.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Compressions, FatbinSample,
                         ::testing::Values(sample(testing::zstandard_image),
                                           sample(testing::lz4_image),
                                           sample(testing::plain_image)));

TEST(Fatbin, LengthIsThatOfHeaderAndEntries) {
  const Buffer image = sample(testing::plain_image);
  const auto bytes = length(std::span(image).first(container_header));
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(*bytes, image.size());
}

TEST(Fatbin, BytesBehindTheImageDoNotMatter) {
  Buffer image = make_container({make_entry(1, 90, "text")});
  image.resize(image.size() + 100, std::byte{0xAB});
  const auto images = read_ptx(image);
  ASSERT_TRUE(images.ok());
  EXPECT_EQ(images->front().text, "text");
}

TEST(Fatbin, EveryPtxImageIsFound) {
  const auto images = read_ptx(make_container({make_entry(1, 80, "old"),
                                               make_entry(2, 90,
                                                          "\x7f"
                                                          "ELF"),
                                               make_entry(1, 90, "new")}));
  ASSERT_TRUE(images.ok());
  ASSERT_EQ(images->size(), 2u);
  EXPECT_EQ((*images)[0].sm, 80);
  EXPECT_EQ((*images)[1].text, "new");
}

TEST(Fatbin, ImageWithoutPtxIsEmptyAndNoError) {
  const auto images = read_ptx(make_container({make_entry(2, 90, "ELF")}));
  ASSERT_TRUE(images.ok());
  EXPECT_TRUE(images->empty());
}

TEST(Fatbin, SourceNameIsRead) {
  const auto images = read_ptx(make_container({make_entry(1, 90, "text", "lab.cu")}));
  ASSERT_TRUE(images.ok());
  EXPECT_EQ(images->front().source, "lab.cu");
}

TEST(Fatbin, PaddingBehindPlainTextIsCut) {
  const auto images = read_ptx(make_container({make_entry(1, 90, std::string("text\0\0\0\0", 8))}));
  ASSERT_TRUE(images.ok());
  EXPECT_EQ(images->front().text, "text");
}

TEST(Fatbin, OtherBytesAreNoFatBinary) {
  EXPECT_TRUE(contains(error_of(Buffer(100)), "no fat binary"));
}

TEST(Fatbin, UnknownVersionIsRefused) {
  Buffer image = make_container({});
  put(image, 4, std::uint16_t{2});
  EXPECT_TRUE(contains(error_of(image), "version 2"));
}

TEST(Fatbin, SizeThatOverflowsIsRefused) {
  Buffer image = make_container({});
  put(image, 8, ~std::uint64_t{0});
  EXPECT_FALSE(length(image).ok());
}

TEST(Fatbin, NameOutsideTheHeaderIsRefused) {
  Buffer image = make_container({make_entry(1, 90, "text", "lab.cu")});
  put(image, container_header + 32, std::uint32_t{0xFFFFFFFF});
  EXPECT_TRUE(contains(error_of(image), "name"));
}

TEST(Fatbin, EntryLongerThanTheImageIsRefused) {
  Buffer image = make_container({make_entry(1, 90, "text")});
  put(image, container_header + 8, ~std::uint64_t{0});
  EXPECT_TRUE(contains(error_of(image), "are left"));
}

TEST(Fatbin, UnknownCompressionIsRefused) {
  Buffer image = sample(testing::zstandard_image);
  put(image, flags_offset, std::uint64_t{0x11});
  EXPECT_TRUE(contains(error_of(image), "compressed in a way that is not known"));
}

TEST(Fatbin, UnpackedSizeMustBeTheTextsOwn) {
  for (Buffer image : {sample(testing::zstandard_image), sample(testing::lz4_image)}) {
    put(image, unpacked_size_offset, std::uint64_t{300});
    EXPECT_TRUE(contains(error_of(image), "another size")) << error_of(image);
  }
}

TEST(Fatbin, AbsurdUnpackedSizeIsRefusedBeforeItIsAllocated) {
  for (Buffer image : {sample(testing::zstandard_image), sample(testing::lz4_image)}) {
    put(image, unpacked_size_offset, std::uint64_t{1} << 60);
    EXPECT_TRUE(contains(error_of(image), "the limit"));
  }
}

}  // namespace
}  // namespace tmaemu::fatbin
