// A compromised decoder: instead of converting a file to text, it tries to access the paths that
// the file names and to do everything that is forbidden, and prints the results. The second line of
// the file is the path of a secret, the third one the path of a file to create.
//
// With --without-landlock, a program and its arguments, it executes that program with a filter that
// makes the kernel appear to lack Landlock.

#include <CForbidden.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

static int become(char **words) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 444, 0, 2),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 446, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {sizeof code / sizeof *code, code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return 126;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return 126;
  execv(words[0], words);
  return 127;
}
#else
static int become(char **words) { return 126; }
#endif

static void tell(const char *name, int is_done) { printf("%s: %s\n", name, is_done ? "done" : "refused"); }

int main(int count, char **arguments) {
  if (count > 2 && strcmp(arguments[1], "--without-landlock") == 0) return become(arguments + 2);
  char line[4096];
  char paths[2][4096] = {{0}};
  for (int index = -1; index < 2 && fgets(line, sizeof line, stdin); index++) {
    line[strcspn(line, "\n")] = 0;
    if (index >= 0) strcpy(paths[index], line);
  }
  FILE *secret = fopen(paths[0], "r");
  tell("read a secret", secret && fgets(line, sizeof line, secret));
  if (secret) printf("%s", line);
  tell("write", open(paths[1], O_WRONLY | O_CREAT, 0600) >= 0);
  tell("have a network", socket(AF_INET, SOCK_STREAM, 0) >= 0);
  for (int index = 0; forbidden_name(index); index++) {
    if (forbidden_try(index) == 0) printf("forbidden and done: %s\n", forbidden_name(index));
  }
  puts("at its end");
  return 0;
}
