// The system calls that a runner with a submission in it is refused.
//
// A launcher computes, calls the CUDA runtime, and prints. What the CUDA driver and the emulator
// need for that stays allowed: memory, threads, futexes, clocks, ioctl, reading files, writing to
// what is open. To allow a call that a driver turns out to need, delete its line.
#pragma once

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>

namespace runner {

enum class When {
  always,
  any_bit,           // the argument has one of the bits `value`
  no_bit,            // it has none of them
  equal,             // it is `value`
  not_equal,         // it is not `value`
  not_this_process,  // it is not this process's number
};

struct RefusedCall {
  std::uint32_t number;
  int error = EPERM;
  When when = When::always;
  int argument = 0;
  std::uint32_t value = 0;
};

// Calls with higher numbers are newer than this table (Linux 6.1 and later): one that a library
// tries, it can do without.
inline constexpr std::uint32_t newest_call = SYS_set_mempolicy_home_node;

inline constexpr std::uint32_t makes_file = O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);

inline constexpr RefusedCall refused_calls[] = {
    // Other processes. Where threads are allowed, glibc starts them by clone where there is no
    // clone3, whose flags a filter cannot see.
    {SYS_clone, EPERM, When::no_bit, 0, CLONE_THREAD},
    {SYS_clone3, ENOSYS},
    {SYS_execve},
    {SYS_execveat},
    {SYS_kill, EPERM, When::not_this_process, 0},
    {SYS_tgkill, EPERM, When::not_this_process, 0},
    {SYS_tkill},
    {SYS_rt_sigqueueinfo},
    {SYS_rt_tgsigqueueinfo},
    {SYS_prlimit64, EPERM, When::not_equal, 0, 0},
    {SYS_ptrace},
    {SYS_process_vm_readv},
    {SYS_process_vm_writev},
    {SYS_process_madvise},
    {SYS_process_mrelease},
    {SYS_kcmp},
    {SYS_pidfd_open},
    {SYS_pidfd_getfd},
    {SYS_pidfd_send_signal},
    {SYS_setsid},
    {SYS_setpgid},
    {SYS_setpriority},
    {SYS_ioprio_set},
    {SYS_sched_setparam},
    {SYS_sched_setaffinity, EPERM, When::not_equal, 0, 0},
    {SYS_migrate_pages},
    {SYS_move_pages, EPERM, When::not_equal, 0, 0},
    // Who gets a signal when something happens to a file, and which; who waits for whom.
    {SYS_fcntl, EPERM, When::equal, 1, F_SETOWN},
    {SYS_fcntl, EPERM, When::equal, 1, F_SETOWN_EX},
    {SYS_fcntl, EPERM, When::equal, 1, F_SETSIG},
    {SYS_fcntl, EPERM, When::equal, 1, F_SETLEASE},
    {SYS_ioctl, EPERM, When::equal, 1, FIOSETOWN},
    {SYS_ioctl, EPERM, When::equal, 1, SIOCSPGRP},
    // To live longer than the judge, and not to be looked at by it.
    {SYS_prctl, EPERM, When::equal, 0, PR_SET_PDEATHSIG},
    {SYS_prctl, EPERM, When::equal, 0, PR_SET_DUMPABLE},

    // New files and changes to old ones: the memory that the judge shares is a file, which must
    // keep its size under the judge's feet.
    {SYS_openat, EPERM, When::any_bit, 2, makes_file},
    {SYS_openat2, ENOSYS},
    {SYS_truncate},
    {SYS_ftruncate},
    {SYS_fallocate},
    {SYS_mkdirat},
    {SYS_mknodat},
    {SYS_linkat},
    {SYS_symlinkat},
    {SYS_renameat},
    {SYS_renameat2},
    {SYS_unlinkat},
    {SYS_fchmod},
    {SYS_fchmodat},
    {SYS_fchown},
    {SYS_fchownat},
    {SYS_setxattr},
    {SYS_lsetxattr},
    {SYS_fsetxattr},
    {SYS_removexattr},
    {SYS_lremovexattr},
    {SYS_fremovexattr},
    {SYS_utimensat},
    {SYS_open_by_handle_at},
    {SYS_name_to_handle_at},

    // Memory that outlives the process, or is counted nowhere. A page in a pipe is nobody's, and
    // with it the huge page that it is a part of.
    {SYS_vmsplice},
    {SYS_splice},
    {SYS_sendfile},
    {SYS_tee},
    {SYS_memfd_create},
    {SYS_memfd_secret},
    {SYS_shmget},
    {SYS_shmat},
    {SYS_shmctl},
    {SYS_semget},
    {SYS_semctl},
    {SYS_msgget},
    {SYS_msgctl},
    {SYS_mq_open},
    {SYS_mq_unlink},
    {SYS_add_key},
    {SYS_request_key},
    {SYS_keyctl},

    // The network, and sockets to other processes. Of a pair each end speaks with the other alone,
    // save that of datagrams, which can be sent to any name.
    {SYS_socketpair, EPERM, When::any_bit, 1, SOCK_DGRAM},
    {SYS_socket},
    {SYS_connect},
    {SYS_bind},
    {SYS_listen},
    {SYS_accept},
    {SYS_accept4},

    // Parts of the kernel with a history of holes.
    {SYS_io_uring_setup},
    {SYS_io_uring_enter},
    {SYS_io_uring_register},
    {SYS_bpf},
    {SYS_perf_event_open},
    {SYS_userfaultfd},
    {SYS_fanotify_init},
    {SYS_io_setup},

    // The machine's settings, for a grader that runs as the superuser without a sandbox.
    {SYS_unshare},
    {SYS_setns},
    {SYS_mount},
    {SYS_umount2},
    {SYS_pivot_root},
    {SYS_chroot},
    {SYS_fsopen},
    {SYS_fspick},
    {SYS_fsmount},
    {SYS_move_mount},
    {SYS_open_tree},
    {SYS_mount_setattr},
    {SYS_swapon},
    {SYS_swapoff},
    {SYS_reboot},
    {SYS_sethostname},
    {SYS_setdomainname},
    {SYS_init_module},
    {SYS_finit_module},
    {SYS_delete_module},
    {SYS_kexec_load},
    {SYS_kexec_file_load},
    {SYS_settimeofday},
    {SYS_clock_settime},
    {SYS_clock_adjtime},
    {SYS_adjtimex},
    {SYS_acct},
    {SYS_quotactl},
    {SYS_quotactl_fd},
    {SYS_syslog},
    {SYS_sched_setscheduler},
    {SYS_sched_setattr},

#ifdef __x86_64__
    // Older forms of what is refused above, and calls of this machine alone.
    {SYS_fork},
    {SYS_vfork},
    {SYS_open, EPERM, When::any_bit, 1, makes_file},
    {SYS_creat},
    {SYS_mkdir},
    {SYS_mknod},
    {SYS_link},
    {SYS_symlink},
    {SYS_rename},
    {SYS_unlink},
    {SYS_rmdir},
    {SYS_chmod},
    {SYS_chown},
    {SYS_lchown},
    {SYS_utime},
    {SYS_utimes},
    {SYS_futimesat},
    {SYS_modify_ldt},
    {SYS_iopl},
    {SYS_ioperm},
#endif
};

}  // namespace runner
