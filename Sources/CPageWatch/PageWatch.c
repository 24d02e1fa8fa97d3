#define _GNU_SOURCE
#include "CPageWatch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

// The names of the pages that threads are processing are in a memory-mapped file, which the process
// removes when it exits. If a fault ends the process, a signal handler records the signal and the
// thread. After any other end the file contains no signal.

struct slot {
  uint32_t length;
  uint32_t died;
  char name[OFFREAD_WATCH_NAME];
};

struct record {
  char magic[8];
  uint32_t signal;
  uint32_t reserved;
  char version[112];
  struct slot slots[OFFREAD_WATCH_SLOTS];
};

static struct record *_Atomic record;
static atomic_flag taken[OFFREAD_WATCH_SLOTS];
static _Thread_local int own = -1;
static char own_path[4096];
static int descriptor = -1;

static const int faults[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT};
enum { fault_count = sizeof faults / sizeof *faults };
static struct sigaction previous[fault_count];

// Async-signal-safe: only writes to memory and calls sigaction and raise.
static void note_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  struct record *current = atomic_load(&record);
  if (current) {
    if (own >= 0) current->slots[own].died = 1;
    current->signal = (uint32_t)number;
  }
  for (int index = 0; index < fault_count; index++) {
    if (faults[index] == number) sigaction(number, &previous[index], NULL);
  }
  // A fault occurs again when the handler returns; a sent signal or a breakpoint must be raised
  // again.
  if (info->si_code <= 0 || number == SIGTRAP) raise(number);
}

// Adds a stack for the handler, because the thread may have exhausted its own.
static void add_stack(void) {
  static _Thread_local int is_added;
  if (is_added) return;
  is_added = 1;
  stack_t known;
  if (sigaltstack(NULL, &known) == 0 && !(known.ss_flags & SS_DISABLE)) return;
  const size_t size = 1 << 16;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {.ss_sp = memory, .ss_size = size};
  sigaltstack(&stack, NULL);
}

static int allocate(off_t size) {
#ifdef __linux__
  return posix_fallocate(descriptor, 0, size);
#else
  return ftruncate(descriptor, size);
#endif
}

int offread_watch_open(const char *path, const char *draft, const char *version) {
  if (atomic_load(&record) || strlen(path) >= sizeof own_path) return -1;
  descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return -1;
  struct record *made = MAP_FAILED;
  // Allocates the blocks, because writing to a hole in the file would cause a fault on a full disk.
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && allocate(sizeof *made) == 0)
    made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (made == MAP_FAILED) {
    unlink(draft);
    close(descriptor);
    return -1;
  }
  memcpy(made->magic, "offread1", sizeof made->magic);
  strncpy(made->version, version, sizeof made->version - 1);
  if (rename(draft, path) != 0) {
    unlink(draft);
    munmap(made, sizeof *made);
    close(descriptor);
    return -1;
  }
  strcpy(own_path, path);
  atomic_store(&record, made);
  struct sigaction action = {.sa_sigaction = note_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < fault_count; index++) sigaction(faults[index], &action, &previous[index]);
  atexit(offread_watch_close);
  return 0;
}

int offread_watch_begin(const char *name, size_t length) {
  struct record *current = atomic_load(&record);
  if (!current || own >= 0) return -1;
  add_stack();
  for (int index = 0; index < OFFREAD_WATCH_SLOTS; index++) {
    if (atomic_flag_test_and_set(&taken[index])) continue;
    struct slot *slot = &current->slots[index];
    const size_t most = length < sizeof slot->name ? length : sizeof slot->name;
    memcpy(slot->name, name, most);
    slot->length = (uint32_t)most;
    own = index;
    return index;
  }
  return -1;
}

void offread_watch_end(int slot) {
  struct record *current = atomic_load(&record);
  if (!current || slot < 0 || slot >= OFFREAD_WATCH_SLOTS) return;
  current->slots[slot].length = 0;
  own = -1;
  atomic_flag_clear(&taken[slot]);
}

void offread_watch_close(void) {
  // The memory stays mapped: other threads may still write into it.
  if (!atomic_exchange(&record, NULL)) return;
  unlink(own_path);
  close(descriptor);
}
