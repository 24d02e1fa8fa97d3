#define _GNU_SOURCE
#include "CSeccomp.h"

#include <errno.h>

// A seccomp(2) filter in classic BPF. It lists the refused system calls instead of the allowed
// ones, because the calls made by system libraries differ between versions, and a missing one would
// end the process.
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Numbers that are missing in older headers. They are the same on all architectures.
enum {
  pidfd_send_signal = 424,
  io_uring_setup = 425,
  io_uring_register = 427,
  open_tree = 428,
  fspick = 433,
  pidfd_open = 434,
  clone3 = 435,
  openat2 = 437,
  pidfd_getfd = 438,
  process_madvise = 440,
  mount_setattr = 442,
  process_mrelease = 448,
  fchmodat2 = 452,
};

// Calls for other processes, the kernel and its modules, clocks, keys and file systems, which
// offread does not need.
static const unsigned forbidden[] = {
    __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kcmp, __NR_migrate_pages, __NR_move_pages,
    pidfd_open, pidfd_send_signal, pidfd_getfd, process_madvise, process_mrelease,
    __NR_kexec_load, __NR_kexec_file_load, __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_reboot,
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_fanotify_init, __NR_syslog,
    __NR_keyctl, __NR_add_key, __NR_request_key,
    __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_unshare, __NR_setns, mount_setattr,
    __NR_swapon, __NR_swapoff, __NR_quotactl, __NR_acct,
    __NR_open_by_handle_at, __NR_personality, __NR_vhangup,
    __NR_settimeofday, __NR_clock_settime, __NR_sethostname, __NR_setdomainname,
    // Shared memory, semaphores and message queues, which all processes of the user can access.
    __NR_shmget, __NR_shmat, __NR_shmctl, __NR_shmdt, __NR_semget, __NR_semop, __NR_semctl, __NR_semtimedop,
    __NR_msgget, __NR_msgsnd, __NR_msgrcv, __NR_msgctl,
    __NR_mq_open, __NR_mq_unlink, __NR_mq_timedsend, __NR_mq_timedreceive, __NR_mq_notify, __NR_mq_getsetattr,
#ifdef __x86_64__
    __NR_iopl, __NR_ioperm, __NR_modify_ldt,
#endif
};

// Calls that change the process named by the argument at `index`, which must be 0, the calling
// process. The C library uses prlimit64 for getrlimit.
static const struct {
  unsigned call, index;
} own_process[] = {
    {__NR_prlimit64, 0},         {__NR_sched_setparam, 0}, {__NR_sched_setscheduler, 0}, {__NR_sched_setattr, 0},
    {__NR_sched_setaffinity, 0}, {__NR_setpriority, 1},    {__NR_ioprio_set, 1},
};

// Calls that change several processes unless their first argument has this value.
static const struct {
  unsigned call;
  uint32_t process;
} not_groups[] = {{__NR_setpriority, 0 /* PRIO_PROCESS */}, {__NR_ioprio_set, 1 /* IOPRIO_WHO_PROCESS */}};

// Calls that send a signal to the process that their first argument names.
static const unsigned signalling[] = {__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo};

static const unsigned networking[] = {
    __NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4, __NR_sendto, __NR_sendmsg,
    __NR_sendmmsg,
};

// Calls that create or connect sockets. Writing to an open socket is not one of them.
static const unsigned joining[] = {
    __NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
};

static const unsigned changing[] = {
    __NR_unlinkat, __NR_renameat2, __NR_mkdirat, __NR_linkat, __NR_symlinkat, __NR_mknodat, __NR_truncate,
    __NR_fchmodat, __NR_fchownat, __NR_fchown, __NR_fchmod, fchmodat2, __NR_setxattr, __NR_lsetxattr, __NR_fsetxattr,
    __NR_removexattr, __NR_lremovexattr, __NR_fremovexattr, __NR_utimensat, __NR_inotify_add_watch,
    __NR_kill, __NR_tkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo,
#ifdef __NR_renameat
    __NR_renameat,
#endif
#ifdef __x86_64__
    __NR_creat, __NR_unlink, __NR_rename, __NR_mkdir, __NR_rmdir, __NR_link, __NR_symlink, __NR_mknod, __NR_chmod,
    __NR_chown, __NR_lchown, __NR_utime, __NR_utimes, __NR_futimesat,
#endif
};

static const unsigned starting[] = {
    __NR_execve, __NR_execveat,
#ifdef __x86_64__
    __NR_fork, __NR_vfork,
#endif
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

// Large enough for two instructions per refused call, five per checked argument, and the rest.
struct filter {
  struct sock_filter code[2 * (COUNT(forbidden) + COUNT(networking) + COUNT(joining) + COUNT(changing) +
                               COUNT(starting)) +
                          5 * (COUNT(own_process) + COUNT(not_groups) + COUNT(signalling)) + 112];
  unsigned short count;
};

static void add(struct filter *filter, uint16_t code, uint32_t value, uint8_t yes, uint8_t no) {
  filter->code[filter->count++] = (struct sock_filter){code, yes, no, value};
}

static void load(struct filter *filter, uint32_t place) { add(filter, BPF_LD | BPF_W | BPF_ABS, place, 0, 0); }

static void answer(struct filter *filter, uint32_t what) { add(filter, BPF_RET | BPF_K, what, 0, 0); }

static const uint32_t number = offsetof(struct seccomp_data, nr);

// The offset of the lower half of an argument, which is the whole value of an int.
static uint32_t argument(unsigned index) { return offsetof(struct seccomp_data, args) + 8 * index; }

static const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
// Libraries treat this error as an older kernel and use other calls.
static const uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

static void refuse(struct filter *filter, uint32_t call, uint32_t what) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
  answer(filter, what);
}

static void refuse_all(struct filter *filter, const unsigned *calls, unsigned count) {
  for (unsigned index = 0; index < count; index++) refuse(filter, calls[index], refused);
}

static void refuse_range(struct filter *filter, uint32_t first, uint32_t last, uint32_t what) {
  add(filter, BPF_JMP | BPF_JGE | BPF_K, first, 0, 2);
  add(filter, BPF_JMP | BPF_JGT | BPF_K, last, 1, 0);
  answer(filter, what);
}

// Refuses a call if any of the bits are set in an argument.
static void refuse_bits(struct filter *filter, uint32_t call, unsigned index, uint32_t bits) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
  load(filter, argument(index));
  add(filter, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
  answer(filter, refused);
  load(filter, number);
}

// Refuses a call unless an argument, an int, has this value.
static void refuse_unless(struct filter *filter, uint32_t call, unsigned index, uint32_t value) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
  load(filter, argument(index));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
  answer(filter, refused);
  load(filter, number);
}

// Refuses calls that change other processes.
static void refuse_others(struct filter *filter) {
  for (unsigned index = 0; index < COUNT(own_process); index++)
    refuse_unless(filter, own_process[index].call, own_process[index].index, 0);
  for (unsigned index = 0; index < COUNT(not_groups); index++)
    refuse_unless(filter, not_groups[index].call, 0, not_groups[index].process);
}

// Refuses pairs of datagram sockets, because either end can send to any socket with a name.
static void refuse_datagram_pairs(struct filter *filter) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, __NR_socketpair, 0, 5);
  load(filter, argument(1));
  add(filter, BPF_ALU | BPF_AND | BPF_K, 0xF, 0, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, SOCK_DGRAM, 0, 1);
  answer(filter, refused);
  load(filter, number);
}

// Refuses calls that insert input into a terminal: TIOCSTI, and TIOCLINUX of the console.
static void refuse_typing(struct filter *filter) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 5);
  load(filter, argument(1));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0x5412, 1, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0x541C, 0, 1);
  answer(filter, refused);
  load(filter, number);
}

// Refuses sockets other than stream and datagram sockets of the internet, and the netlink socket
// from which the resolver gets the addresses of the host. AF_UNIX sockets lead to agents, buses and
// servers of the user, which would execute any request.
static void refuse_sockets(struct filter *filter) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, __NR_socket, 0, 12);
  load(filter, argument(0));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 6, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 6);
  load(filter, argument(1));
  add(filter, BPF_ALU | BPF_AND | BPF_K, 0xF, 0, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 4, 0);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, SOCK_DGRAM, 3, 2);
  load(filter, argument(2));
  // NETLINK_ROUTE.
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
  answer(filter, refused);
  load(filter, number);
}

int offread_filter_works(void) {
  const uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

int offread_filter_begin(uint32_t without) {
  const unsigned writing = O_ACCMODE | O_CREAT | O_TRUNC;
  const unsigned namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                              CLONE_NEWPID | CLONE_NEWNET;
  struct filter filter = {.count = 0};
  // Refuses the calls of other architectures, and those of x32, which has the same architecture
  // value.
  load(&filter, offsetof(struct seccomp_data, arch));
  add(&filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  answer(&filter, unknown);
  load(&filter, number);
  add(&filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  answer(&filter, unknown);
  refuse_all(&filter, forbidden, COUNT(forbidden));
  refuse_range(&filter, open_tree, fspick, refused);
  refuse_range(&filter, io_uring_setup, io_uring_register, unknown);
  // A filter cannot read its flags, which are behind a pointer. The C library uses clone instead.
  refuse(&filter, clone3, unknown);
  refuse_bits(&filter, __NR_clone, 0, namespaces);
  refuse_others(&filter);
  refuse_datagram_pairs(&filter);
  refuse_typing(&filter);
  if (without & OFFREAD_NO_NETWORK) {
    refuse_all(&filter, networking, COUNT(networking));
  } else if (without & OFFREAD_NO_SOCKETS) {
    refuse_all(&filter, joining, COUNT(joining));
  } else {
    refuse_sockets(&filter);
  }
  if (without & OFFREAD_NO_CHANGES) {
    refuse_all(&filter, changing, COUNT(changing));
    refuse(&filter, openat2, unknown);
    refuse_bits(&filter, __NR_openat, 2, writing);
#ifdef __NR_open
    refuse_bits(&filter, __NR_open, 1, writing);
#endif
  }
  if (without & OFFREAD_NO_PROGRAMS) {
    refuse_all(&filter, starting, COUNT(starting));
    // A process that starts no others needs to signal only itself.
    for (unsigned index = 0; index < COUNT(signalling); index++)
      refuse_unless(&filter, signalling[index], 0, (uint32_t)getpid());
    refuse(&filter, __NR_tkill, refused);
    // Allows threads, but not processes.
    add(&filter, BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4);
    load(&filter, argument(0));
    add(&filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    answer(&filter, refused);
    load(&filter, number);
  }
  answer(&filter, SECCOMP_RET_ALLOW);
  const struct sock_fprog program = {filter.count, filter.code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
int offread_filter_works(void) { return 0; }
int offread_filter_begin(uint32_t without) {
  errno = ENOSYS;
  return -1;
}
#endif
