// The registers of a CTA that its warps give back and take: PTX ISA, "Miscellaneous Instructions:
// setmaxnreg". Warps begin with what the kernel was compiled for, and the pool is empty. A warp
// that ends gives nothing back: an H100 lets who waits for its registers wait forever.
#pragma once

#include <cstddef>
#include <vector>

namespace tmaemu {

class RegisterPool {
 public:
  // `registers`: of each thread of the warps; 0 where ptxas ignores setmaxnreg.
  void start(unsigned registers, std::size_t warps) {
    is_in_effect_ = registers != 0;
    owned_.assign(is_in_effect_ ? warps : 0, registers);
    pool_ = 0;
  }
  bool is_in_effect() const { return is_in_effect_; }

  // All numbers are registers of a thread.
  unsigned owned_by(unsigned warp) const { return owned_[warp]; }
  unsigned in_pool() const { return pool_; }
  bool can_give(unsigned warp, unsigned registers) const {
    return registers <= owned_[warp] + pool_;
  }
  // The warp has so many from now on. Precondition: can_give().
  void change(unsigned warp, unsigned registers) {
    pool_ = owned_[warp] + pool_ - registers;
    owned_[warp] = registers;
  }

 private:
  bool is_in_effect_ = false;
  std::vector<unsigned> owned_;  // by warp
  unsigned pool_ = 0;
};

}  // namespace tmaemu
