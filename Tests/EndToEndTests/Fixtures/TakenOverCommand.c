// A library for LD_PRELOAD that makes a command behave as if it were compromised: when the command
// ends, it tries forbidden operations, and writes the results to the file that RESULTS names.

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *results;

static void tell(const char *name, int is_done) { fprintf(results, "%s: %s\n", name, is_done ? "done" : "refused"); }

static int try_open(const char *variable, const char *name, int flags) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv(variable), name);
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

static int try_limits(void) {
  struct rlimit limit;
  return syscall(SYS_prlimit64, (long)getppid(), (long)RLIMIT_FSIZE, 0L, &limit) == 0;
}

static int try_memory(void) {
  const int id = shmget(IPC_PRIVATE, 4096, 0600);
  return id >= 0 && shmctl(id, IPC_RMID, NULL) == 0;
}

__attribute__((destructor)) static void try_all(void) {
  if (!getenv("RESULTS")) return;
  results = fopen(getenv("RESULTS"), "w");
  if (!results) return;
  tell("read a secret", try_open("HOME", ".ssh/id", O_RDONLY));
  tell("write settings of the shell", try_open("HOME", ".bashrc", O_WRONLY | O_APPEND));
  tell("make a file", try_open("HOME", "made", O_WRONLY | O_CREAT));
  tell("make a file beside the output", try_open("OUTPUT", "made", O_WRONLY | O_CREAT));
  tell("open other terminals", open(getenv("TERMINAL"), O_RDWR | O_NOCTTY) >= 0);
  tell("start a program", try_program());
  tell("signal others", kill(getppid(), 0) == 0);
  tell("limits of others", try_limits());
  tell("shared memory", try_memory());
  tell("local socket", socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
  tell("network", socket(AF_INET, SOCK_STREAM, 0) >= 0);
  fclose(results);
}
