#define _GNU_SOURCE
#include "CLandlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

// The three system calls of landlock(7). glibc has no wrappers for them, and headers may be older
// than the kernel. The numbers are the same on all architectures that Swift supports. The version
// is -1 on kernels without Landlock and on other systems.
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef O_PATH
#define O_PATH 010000000
#endif

struct offread_path_rule {
  uint64_t rights;
  int32_t folder;
} __attribute__((packed));

int offread_landlock_version(void) { return (int)syscall(444, (void *)0, 0UL, 1U); }

int offread_landlock_create(uint64_t rights, uint64_t scopes) {
  const uint64_t attributes[] = {rights, 0, scopes};
  // Older kernels support only the first attribute and reject a larger structure.
  return (int)syscall(444, attributes, scopes ? sizeof attributes : sizeof *attributes, 0U);
}

int offread_landlock_open(const char *path) {
  return open(path, O_PATH | O_CLOEXEC);
}

int offread_landlock_allow(int ruleset, int path, uint64_t rights) {
  struct offread_path_rule rule = {rights, path};
  return (int)syscall(445, ruleset, 1, &rule, 0U);
}

int offread_landlock_enforce(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return -1;
  return (int)syscall(446, ruleset, 0U);
}
#else
int offread_landlock_open(const char *path) { return -1; }
int offread_landlock_version(void) { return -1; }
int offread_landlock_create(uint64_t rights, uint64_t scopes) { return -1; }
int offread_landlock_allow(int ruleset, int path, uint64_t rights) { return -1; }
int offread_landlock_enforce(int ruleset) { return -1; }
#endif
