#define _GNU_SOURCE
#include "CProcesses.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

extern char **environ;

// The maximum number of descriptors in a message, and the lowest number to which others are moved.
enum { most_descriptors = 4, lowest_moved = 64 };

pid_t offread_fork(const char *name) {
  const pid_t id = fork();
#ifdef __linux__
  if (id == 0) prctl(PR_SET_NAME, name, 0UL, 0UL, 0UL);
#endif
  return id;
}

#ifdef __linux__
// Stores the load address of the first object, which is the program.
static int find_program(struct dl_phdr_info *info, size_t size, void *bias) {
  (void)size;
  *(uintptr_t *)bias = info->dlpi_addr;
  return 1;
}

static int read_at(int file, void *buffer, size_t size, off_t offset) {
  return pread(file, buffer, size, offset) == (ssize_t)size;
}

// Makes the pages read-only that contain nothing but the writable section `.rodata`.
static int protect_section(int file) {
  enum { most_sections = 512 };
  static const char name[] = ".rodata";
  ElfW(Ehdr) head;
  ElfW(Shdr) sections[most_sections];
  if (!read_at(file, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_shentsize != sizeof *sections || head.e_shnum > most_sections || head.e_shstrndx >= head.e_shnum ||
      !read_at(file, sections, head.e_shnum * sizeof *sections, (off_t)head.e_shoff))
    return -1;
  uintptr_t bias = 0;
  dl_iterate_phdr(find_program, &bias);
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (unsigned index = 0; index < head.e_shnum; index++) {
    char found[sizeof name];
    const ElfW(Shdr) *section = &sections[index];
    if (!(section->sh_flags & SHF_WRITE) || section->sh_type != SHT_PROGBITS ||
        !read_at(file, found, sizeof found, (off_t)(sections[head.e_shstrndx].sh_offset + section->sh_name)) ||
        memcmp(found, name, sizeof name) != 0)
      continue;
    const uintptr_t start = (bias + section->sh_addr + page - 1) / page * page;
    const uintptr_t end = (bias + section->sh_addr + section->sh_size) / page * page;
    return end <= start ? 0 : mprotect((void *)start, end - start, PROT_READ);
  }
  return 0;
}
#endif

int offread_protect_constants(void) {
#ifdef __linux__
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  const int result = protect_section(file);
  close(file);
  return result;
#else
  return 0;
#endif
}

char **offread_environment(void) { return environ; }

int offread_limit(int name) {
  switch (name) {
    case OFFREAD_LIMIT_PROCESSOR: return RLIMIT_CPU;
    case OFFREAD_LIMIT_MEMORY: return RLIMIT_AS;
    case OFFREAD_LIMIT_DATA: return RLIMIT_DATA;
    case OFFREAD_LIMIT_FILE: return RLIMIT_FSIZE;
    default: return RLIMIT_CORE;
  }
}

static int inherit(int descriptor, int as) {
  return descriptor == as ? fcntl(as, F_SETFD, 0) : dup2(descriptor, as);
}

// Runs in the child process. It must not allocate memory, because other threads of the parent may
// have held locks. Returns the error number if the program cannot be started.
static int become(const struct offread_program *program, int socket, int errors) {
  if (setpgid(0, 0) != 0) return errno;
  for (int stream = 0; stream < 3; stream++) {
    int is_taken = stream == 2 && errors >= 0;
    for (size_t index = 0; index < program->as_count; index++) is_taken |= program->as[index] == stream;
    if (is_taken) continue;
    const int nothing = open("/dev/null", stream == 0 ? O_RDONLY : O_WRONLY);
    if (nothing < 0 || (nothing != stream && dup2(nothing, stream) < 0)) return errno;
    if (nothing > 2) close(nothing);
  }
  if (errors >= 0 && inherit(errors, 2) < 0) return errno;
  for (size_t index = 0; index < program->as_count; index++)
    if (inherit(socket, program->as[index]) < 0) return errno;
  for (size_t index = 0; index < program->limit_count; index++) {
    struct rlimit limit;
    if (getrlimit(program->resources[index], &limit) != 0) return errno;
    const rlim_t wanted = (rlim_t)program->values[index];
    if (limit.rlim_max == RLIM_INFINITY || wanted < limit.rlim_max) limit.rlim_max = wanted;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(program->resources[index], &limit) != 0) return errno;
  }
  execve(program->words[0], program->words, program->environment);
  return errno;
}

pid_t offread_start(const struct offread_program *program) {
  int report[2];
  if (pipe(report) != 0) return -1;
  // Moves the descriptors, so that they do not conflict with the numbers requested for the program.
  const int socket = fcntl(program->socket, F_DUPFD_CLOEXEC, lowest_moved);
  const int errors = program->errors < 0 ? -1 : fcntl(program->errors, F_DUPFD_CLOEXEC, lowest_moved);
  const int told = fcntl(report[1], F_DUPFD_CLOEXEC, lowest_moved);
  close(report[1]);
  fcntl(report[0], F_SETFD, FD_CLOEXEC);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t id = socket < 0 || told < 0 ? -1 : fork();
  if (id == 0) {
    // Resets the signal handlers inherited from the parent.
    for (int number = 1; number < NSIG; number++) {
      struct sigaction action;
      if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) signal(number, SIG_DFL);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    const int error = become(program, socket, errors);
    (void)!write(told, &error, sizeof error);
    _exit(127);
  }
  int error = id < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (socket >= 0) close(socket);
  if (errors >= 0) close(errors);
  if (told >= 0) close(told);
  if (id > 0) {
    ssize_t count;
    while ((count = read(report[0], &error, sizeof error)) < 0 && errno == EINTR) {}
    if (count == sizeof error) {
      while (waitpid(id, NULL, 0) < 0 && errno == EINTR) {}
    } else {
      error = 0;
    }
  }
  close(report[0]);
  errno = error;
  return error == 0 ? id : -1;
}

int offread_pair(int ends[2]) {
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return -1;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return 0;
}

ssize_t offread_send(int socket, const void *bytes, size_t size, const int *descriptors, size_t count) {
  char control[CMSG_SPACE(sizeof(int) * most_descriptors)] = {0};
  struct iovec part = {(void *)bytes, size};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (count > most_descriptors) {
    errno = EINVAL;
    return -1;
  }
  if (count > 0) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
  }
#ifdef MSG_NOSIGNAL
  const int flags = MSG_NOSIGNAL;
#else
  const int flags = 0;
#endif
  ssize_t result;
  while ((result = sendmsg(socket, &message, flags)) < 0 && errno == EINTR) {}
  return result;
}

ssize_t offread_receive(int socket, void *bytes, size_t size, int *descriptors, size_t *count) {
  char control[CMSG_SPACE(sizeof(int) * most_descriptors)];
  struct iovec part = {bytes, size};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
#ifdef MSG_CMSG_CLOEXEC
  const int flags = MSG_CMSG_CLOEXEC;
#else
  const int flags = 0;
#endif
  const size_t room = *count;
  *count = 0;
  ssize_t result;
  while ((result = recvmsg(socket, &message, flags)) < 0 && errno == EINTR) {}
  if (result < 0) return result;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const size_t size_of_all = header->cmsg_len - CMSG_LEN(0);
    for (size_t place = 0; place + sizeof(int) <= size_of_all; place += sizeof(int)) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + place, sizeof descriptor);
      if (*count < room) descriptors[(*count)++] = descriptor;
      else close(descriptor);
    }
  }
  // Invalidates a truncated message by its first byte; an empty one would mean the end.
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) ((char *)bytes)[0] = 0;
  return result;
}

int offread_memory(void) {
#ifdef __linux__
  return memfd_create("offread", MFD_CLOEXEC);
#else
  errno = ENOSYS;
  return -1;
#endif
}

static int children_pipe[2] = {-1, -1};

static void on_child(int number) {
  (void)number;
  const int saved = errno;
  (void)!write(children_pipe[1], "", 1);
  errno = saved;
}

int offread_watch_children(void) {
  if (pipe(children_pipe) != 0) return -1;
  for (int end = 0; end < 2; end++) {
    fcntl(children_pipe[end], F_SETFD, FD_CLOEXEC);
    fcntl(children_pipe[end], F_SETFL, O_NONBLOCK);
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_child;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGCHLD, &action, NULL) == 0 ? children_pipe[0] : -1;
}
