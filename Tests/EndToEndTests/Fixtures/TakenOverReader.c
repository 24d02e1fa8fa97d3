// A library for LD_PRELOAD that makes the reader behave as if it were compromised: when it waits
// for keys for the first time while confined, it tries forbidden operations, and writes the results
// to the file that RESULTS names. It searches for the socket of the launcher as compromised code
// would.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *results;

static void tell(const char *name, int is_done) { fprintf(results, "%s: %s\n", name, is_done ? "done" : "refused"); }

static int try_open(const char *name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("HOME"), name);
  return open(path, flags | O_CLOEXEC, 0600) >= 0;
}

static int try_program(void) {
  char *words[] = {"sh", "-c", "true", NULL};
  char *environment[] = {NULL};
  pid_t id;
  int status = -1;
  if (posix_spawn(&id, "/bin/sh", NULL, NULL, words, environment) != 0) return 0;
  return waitpid(id, &status, 0) == id && status == 0;
}

static int launcher(void) {
  for (int descriptor = 3; descriptor < 64; descriptor++) {
    int kind = 0;
    socklen_t size = sizeof kind;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 && kind == SOCK_SEQPACKET) return descriptor;
  }
  return -1;
}

// Sends a request with a socket for the reply. Returns the first byte of the reply, or -1 if there
// is none.
static int ask(int socket, const char *request, size_t size) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return -1;
  char control[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {(void *)request, size};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &ends[1], sizeof(int));
  if (sendmsg(socket, &message, 0) < 0) return -1;
  close(ends[1]);
  char answer[64];
  const ssize_t count = recv(ends[0], answer, sizeof answer, 0);
  close(ends[0]);
  return count > 0 ? answer[0] : -1;
}

static void try_all(void) {
  results = fopen(getenv("RESULTS"), "w");
  if (!results) return;
  tell("read a secret", try_open(".ssh/id", O_RDONLY));
  tell("write settings of the shell", try_open(".bashrc", O_WRONLY | O_APPEND));
  tell("make a file", try_open("made", O_WRONLY | O_CREAT));
  tell("start a shell", try_program());
  // This is the reader's own terminal, opened by its name, as those of other programs would be.
  tell("open a terminal by its name", ttyname(0) && open(ttyname(0), O_RDONLY | O_NOCTTY) >= 0);
  tell("signal others", kill(getppid(), 0) == 0);
  tell("have a socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  const int end = launcher();
  tell("find the launcher", end >= 0);
  char request[4096];
  int size = snprintf(request, sizeof request, "\x03touch %s/prepared%c%c", getenv("HOME"), 0, 0);
  tell("a line that was not prepared", ask(end, request, size) == 1);
  size = snprintf(request, sizeof request, "\x09%s/.ssh/id%c", getenv("HOME"), 0);
  tell("a secret of the launcher", ask(end, request, size) == 1);
  tell("garbage", ask(end, "\xFFgarbage", 8) > 0);
  fflush(results);
  size = snprintf(request, sizeof request, "\x01touch %s/typed%c%c", getenv("HOME"), 0, 0);
  tell("a line that nobody typed", ask(end, request, size) == 1);
  fputs("at its end\n", results);
  fclose(results);
}

int poll(struct pollfd *polled, nfds_t count, int timeout) {
  static int (*real)(struct pollfd *, nfds_t, int);
  static int is_over;
  if (!real) real = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
  const int is_confined = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 && syscall(SYS_gettid) == getpid();
  if (is_confined && !is_over && getenv("RESULTS")) {
    is_over = 1;
    try_all();
  }
  return real(polled, count, timeout);
}
