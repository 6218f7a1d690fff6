// The system reads and writes memory for the program, and refuses to where pages are closed. So
// while some are closed in which the program has other bytes, the first system call of its thread
// opens them, and is made then. Linux, "Syscall User Dispatch".
#pragma once

namespace tmaemu::runtime {

class SystemCallGate {
 public:
  // Whether the next system call can be kept waiting: the system knows of such gates, and the
  // program has no other threads.
  static bool is_there();
  // Calls `open` before the next system call of this thread.
  static void shut(void (*open)());
  static void open();

  // For handlers of signals, which make system calls of their own: open as long as this lives.
  class Opened {
   public:
    Opened();
    ~Opened();
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

   private:
    char before_;
  };
};

}  // namespace tmaemu::runtime
