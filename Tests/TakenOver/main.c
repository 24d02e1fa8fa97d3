// A decoder that was taken over: instead of making text of a file, it tries what its file names and all that is
// forbidden, and writes what came of it. The second line of the file is the path of a secret, the third one of a
// file that may be made.

#include <CForbidden.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void tell(const char *name, int is_done) { printf("%s: %s\n", name, is_done ? "done" : "refused"); }

int main(void) {
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
