#include "tests/conformance/random_text.h"

namespace conformance {

KernelText::KernelText(std::uint64_t seed, unsigned ctas, unsigned threads, unsigned input_words)
    : random_(seed) {
  program_.ctas = ctas;
  program_.threads = threads;
  program_.input_words = input_words;
  registers_ =
      ".reg .b32 %tid32, %thread, %lane, %word;\n"
      ".reg .b64 %in, %out, %memory, %wide;\n";
  line("mov.u32 %tid32, %tid.x; mov.u32 %lane, %laneid; mov.u32 %word, %ctaid.x;");
  line("mad.lo.u32 %thread, %word, ", threads, ", %tid32;");
  line("ld.param.u64 %in, [inputs]; mad.wide.u32 %in, %thread, ", 8 * input_words, ", %in;");
  line("ld.param.u64 %out, [results]; mad.wide.u32 %out, %thread, 8, %out;");
  line("ld.param.u64 %memory, [memory];");
}

std::string KernelText::reg(std::string_view type) {
  std::string name = "%v" + std::to_string(next_register_++);
  registers_ += ".reg ." + std::string(type) + " " + name + ";\n";
  return name;
}

void KernelText::load_input(const std::string& to, std::string_view type, unsigned word) {
  if (type == "pred") {
    line("ld.global.b32 %word, [%in+", 8 * word, "]; setp.ne.b32 ", to, ", %word, 0;");
  } else {
    line("ld.global.", type, " ", to, ", [%in+", 8 * word, "];");
  }
}

void KernelText::checkpoint(const std::string& value, unsigned bits) {
  const std::size_t place =
      std::size_t{8} * program_.ctas * program_.threads * program_.checkpoints++;
  if (bits == 1) {
    line("selp.b64 %wide, 1, 0, ", value, "; st.global.b64 [%out+", place, "], %wide;");
  } else if (bits == 64) {
    line("st.global.b64 [%out+", place, "], ", value, ";");
  } else {
    line("cvt.u64.u", bits, " %wide, ", value, "; st.global.b64 [%out+", place, "], %wide;");
  }
}

RandomProgram KernelText::finish(std::size_t memory_bytes, std::string_view attributes,
                                 std::string_view version) {
  program_.memory_bytes = memory_bytes;
  program_.memory_seed = random();
  program_.ptx = ".version " + std::string(version) + "\n.target sm_90a\n.address_size 64\n" +
                 module_ +
                 ".visible .entry program(.param .u64 inputs, .param .u64 results,"
                 " .param .u64 memory, .param .u64 maps)\n" +
                 std::string(attributes) + "{\n" + registers_ + body_ + "ret;\n}\n";
  return std::move(program_);
}

}  // namespace conformance
