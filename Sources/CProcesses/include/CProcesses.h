#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Processes, and messages between them, as Swift cannot write them; see Processes.c. What fails is negative, with errno.

// A process that goes on here, too, under another name. For a process of one thread.
pid_t offread_fork(const char *name);

// What a program is started with.
struct offread_program {
  char *const *words;
  char *const *environment;
  // The descriptor that it has, and as which ones.
  int socket;
  const int *as;
  size_t as_count;
  // Where standard error goes; nowhere when negative.
  int errors;
  // Limits (RLIMIT_*), hard ones.
  const int *resources;
  const uint64_t *values;
  size_t limit_count;
};
// Starts the program that the first word names, in a process group of its own.
pid_t offread_start(const struct offread_program *program);

// Sends one message with descriptors through a socket of messages.
ssize_t offread_send(int socket, const void *bytes, size_t size, const int *descriptors, size_t count);
// Takes one message; 0 is the end. Descriptors are as many as `count` says then.
ssize_t offread_receive(int socket, void *bytes, size_t size, int *descriptors, size_t *count);
// The ends of a socket of messages, which no other program gets.
int offread_pair(int ends[2]);
// A file in memory.
int offread_memory(void);
// A descriptor that has something to be read after a child has ended or stopped. For one thread of the process.
int offread_watch_children(void);

// Makes the constants of this program read-only that the dynamic loader has filled in. The linker puts those of Swift into
// a writable section that it does not protect itself, with the data of Unicode beside them.
int offread_protect_constants(void);

enum {
  OFFREAD_LIMIT_PROCESSOR,
  OFFREAD_LIMIT_MEMORY,
  OFFREAD_LIMIT_DATA,
  OFFREAD_LIMIT_FILE,
  OFFREAD_LIMIT_CORE,
};
// The number of a limit.
int offread_limit(int name);
