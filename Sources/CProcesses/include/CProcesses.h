#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Functions for processes and messages between them that cannot be written in Swift; see
// Processes.c. A negative result indicates an error, with errno.

// Forks the process, which must have only one thread, and names the child.
pid_t offread_fork(const char *name);

// The arguments, environment and resources of a program to be started.
struct offread_program {
  char *const *words;
  char *const *environment;
  // A descriptor to inherit, and the numbers that it gets in the program.
  int socket;
  const int *as;
  size_t as_count;
  // The descriptor for standard error; negative for none.
  int errors;
  // Hard limits (RLIMIT_*) and their values.
  const int *resources;
  const uint64_t *values;
  size_t limit_count;
};
// Starts the program named by the first of `words`, in its own process group.
pid_t offread_start(const struct offread_program *program);

// Sends a message with descriptors through a SOCK_SEQPACKET socket.
ssize_t offread_send(int socket, const void *bytes, size_t size, const int *descriptors, size_t count);
// Receives a message; returns 0 at the end. `count` is the capacity of `descriptors`, and
// afterwards their number.
ssize_t offread_receive(int socket, void *bytes, size_t size, int *descriptors, size_t *count);
// Creates a pair of connected SOCK_SEQPACKET sockets, which are closed on exec.
int offread_pair(int ends[2]);
// Creates an anonymous file in memory.
int offread_memory(void);
// Returns a descriptor that becomes readable when a child process ends or stops. Only one thread
// may use it.
int offread_watch_children(void);

// Returns the environment variables, NAME=VALUE, with NULL at the end.
char **offread_environment(void);

// Makes the constants that the dynamic loader has relocated read-only. The linker puts those of
// Swift and the Unicode data into a writable section that it does not protect.
int offread_protect_constants(void);

enum {
  OFFREAD_LIMIT_PROCESSOR,
  OFFREAD_LIMIT_MEMORY,
  OFFREAD_LIMIT_DATA,
  OFFREAD_LIMIT_FILE,
  OFFREAD_LIMIT_CORE,
};
// Returns the number of the limit (RLIMIT_*) for one of the constants above.
int offread_limit(int name);
