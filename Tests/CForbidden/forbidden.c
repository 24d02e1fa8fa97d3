#define _GNU_SOURCE
#include "CForbidden.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct trial {
  const char *name;
  long (*attempt)(void);
};

static int outcome(const struct trial *trial) {
  errno = 0;
  return trial->attempt() < 0 ? errno : 0;
}

static long opened(int descriptor) { return descriptor < 0 ? -1 : close(descriptor); }

#ifdef __linux__
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static long spy(void) { return syscall(SYS_ptrace, 0x4206L, (long)getppid(), 0L, 0L); }

static long peek(void) {
  char byte;
  struct iovec own = {&byte, 1}, other = {&byte, 1};
  return syscall(SYS_process_vm_readv, (long)getppid(), &own, 1L, &other, 1L, 0L);
}

static long packet(void) { return opened(socket(AF_PACKET, SOCK_RAW, 0)); }
static long raw(void) { return opened(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)); }
static long raw6(void) { return opened(socket(AF_INET6, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMPV6)); }
static long local(void) { return opened(socket(AF_UNIX, SOCK_STREAM, 0)); }
static long audit(void) { return opened(socket(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT)); }
static long machine(void) { return opened(socket(40, SOCK_STREAM, 0)); }
static long namespace(void) { return unshare(CLONE_NEWUSER); }
static long join(void) { return syscall(SYS_setns, -1L, 0L); }
static long mounts(void) { return syscall(SYS_mount, "none", "/none", "tmpfs", 0L, 0L); }
static long keys(void) { return syscall(SYS_keyctl, 0L, -3L, 0L, 0L, 0L); }
static long programs(void) { return syscall(SYS_bpf, 0L, 0L, 0L); }
static long counters(void) { return syscall(SYS_perf_event_open, 0L, 0L, -1L, -1L, 0L); }
static long faults(void) { return opened((int)syscall(SYS_userfaultfd, 0L)); }
static long handle(void) { return syscall(SYS_open_by_handle_at, -1L, 0L, 0L); }
static long type(void) { return syscall(SYS_ioctl, -1L, 0x5412L, "x"); }
static long type_high(void) { return syscall(SYS_ioctl, -1L, 0x100005412L, "x"); }
static long module(void) { return syscall(SYS_finit_module, -1L, "", 0L); }
// If these calls are permitted, they change nothing.
static long limits(void) {
  struct rlimit limit;
  return syscall(SYS_prlimit64, (long)getppid(), (long)RLIMIT_FSIZE, 0L, &limit);
}
static long scheduler(void) {
  struct sched_param none = {0};
  return syscall(SYS_sched_setscheduler, (long)getppid(), (long)SCHED_OTHER, &none);
}
static long affinity(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return -1;
  return syscall(SYS_sched_setaffinity, (long)getppid(), sizeof set, &set);
}
static long priority(void) { return setpriority(PRIO_PROCESS, (id_t)getppid(), getpriority(PRIO_PROCESS, 0)); }
static long group(void) { return setpriority(PRIO_PGRP, 0, getpriority(PRIO_PROCESS, 0)); }
static long disk(void) {
  return syscall(SYS_ioprio_set, 1L, (long)getppid(), syscall(SYS_ioprio_get, 1L, (long)getppid()));
}
static long move(void) { return syscall(SYS_move_pages, (long)getppid(), 0L, 0L, 0L, 0L, 0L); }
static long migrate(void) { return syscall(SYS_migrate_pages, (long)getppid(), 0L, 0L, 0L); }
static long descriptor(void) { return opened((int)syscall(434L, (long)getppid(), 0L)); }
static long memory(void) {
  const int id = shmget(IPC_PRIVATE, 4096, 0600);
  return id < 0 ? -1 : shmctl(id, IPC_RMID, NULL);
}
static long semaphore(void) {
  const int id = semget(IPC_PRIVATE, 1, 0600);
  return id < 0 ? -1 : semctl(id, 0, IPC_RMID);
}
static long messages(void) {
  const int id = msgget(IPC_PRIVATE, 0600);
  return id < 0 ? -1 : msgctl(id, IPC_RMID, NULL);
}
static long queue(void) { return syscall(SYS_mq_open, "offread-test", (long)O_RDONLY, 0L, 0L); }
static long datagrams(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0) return -1;
  close(ends[0]);
  return close(ends[1]);
}
static long child(void) {
  const long id = syscall(SYS_clone, (long)(CLONE_NEWUSER | 17), 0L, 0L, 0L, 0L);
  if (id == 0) _exit(0);
  if (id > 0) waitpid((pid_t)id, NULL, 0);
  return id;
}
#ifdef __x86_64__
// ptrace by the system call numbers of x32 and of 32-bit x86.
static long x32(void) { return syscall(0x40000000L + SYS_ptrace, 0x4206L, (long)getppid(), 0L, 0L); }
static long bits32(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(26L), "b"(0x4206L), "c"((long)getppid()), "d"(0L), "S"(0L)
                   : "memory", "r8", "r9", "r10", "r11");
  if (result >= 0) return 0;
  errno = (int)-result;
  return -1;
}
#endif
// The last one, because the filter reports to libraries that it does not exist (ENOSYS).
static long ring(void) { return syscall(SYS_io_uring_setup, 0L, 0L); }

static const struct trial forbidden[] = {
    {"ptrace", spy}, {"memory of the parent", peek}, {"packet socket", packet}, {"raw socket", raw},
    {"raw socket of IPv6", raw6}, {"local socket", local}, {"netlink of events", audit}, {"vsock", machine},
    {"unshare", namespace}, {"setns", join}, {"mount", mounts}, {"keys", keys}, {"bpf", programs},
    {"perf", counters}, {"userfaultfd", faults}, {"file handles", handle}, {"typing", type},
    {"typing, with other bits above", type_high}, {"module", module}, {"child in a namespace", child},
#ifdef __x86_64__
    {"ptrace of x32", x32}, {"ptrace of 32 bits", bits32},
#endif
    {"limits of the parent", limits}, {"scheduler of the parent", scheduler}, {"affinity of the parent", affinity},
    {"priority of the parent", priority}, {"priority of the group", group}, {"disk priority of the parent", disk},
    {"pages of the parent", move}, {"nodes of the parent", migrate}, {"descriptor of the parent", descriptor},
    {"shared memory", memory}, {"semaphores", semaphore}, {"messages", messages}, {"message queue", queue},
    {"datagram pair", datagrams},
    {"io_uring", ring}, {NULL, NULL},
};

static long own_limits(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) != 0 ? -1 : setrlimit(RLIMIT_NOFILE, &limit);
}
static long own_priority(void) { return setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)); }
static long routes(void) { return opened(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)); }
#else
static const struct trial forbidden[] = {{NULL, NULL}};
static long routes(void) { return 0; }
static long own_limits(void) { return 0; }
static long own_priority(void) { return 0; }
#endif

static long tcp(void) { return opened(socket(AF_INET, SOCK_STREAM, 0)); }
static long udp6(void) { return opened(socket(AF_INET6, SOCK_DGRAM, 0)); }

static long pair(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return -1;
  close(ends[0]);
  return close(ends[1]);
}

static void *nothing(void *value) { return value; }

static long thread(void) {
  pthread_t thread;
  const int error = pthread_create(&thread, NULL, nothing, NULL);
  errno = error;
  return error ? -1 : pthread_join(thread, NULL);
}

extern char **environ;

static long process(void) {
  char *words[] = {(char *)"true", NULL};
  pid_t id;
  const int error = posix_spawn(&id, "/bin/true", NULL, NULL, words, environ);
  errno = error;
  if (error) return -1;
  int status;
  if (waitpid(id, &status, 0) < 0) return -1;
  errno = EIO;
  return status == 0 ? 0 : -1;
}

static const struct trial allowed[] = {
    {"tcp", tcp}, {"udp of IPv6", udp6}, {"routes", routes}, {"socket pair", pair}, {"thread", thread},
    {"process", process}, {"own limits", own_limits}, {"own priority", own_priority}, {NULL, NULL},
};

const char *forbidden_name(int index) { return forbidden[index].name; }
int forbidden_try(int index) { return outcome(&forbidden[index]); }
const char *allowed_name(int index) { return allowed[index].name; }
int allowed_try(int index) { return outcome(&allowed[index]); }
