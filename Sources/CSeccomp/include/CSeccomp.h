#pragma once
#include <stdint.h>

// Filters of system calls by seccomp(2); see Seccomp.c.

// Refuses all sockets; without this constant, internet sockets are allowed.
#define OFFREAD_NO_NETWORK 1U
// Refuses to open files for writing, to create or remove names, and to send signals.
#define OFFREAD_NO_CHANGES 2U
// Refuses to start processes and programs, and to send signals to other processes.
#define OFFREAD_NO_PROGRAMS 4U
// Refuses to create and connect sockets; open ones can be used.
#define OFFREAD_NO_SOCKETS 8U

// Whether the kernel and the architecture support the filters.
int offread_filter_works(void);
// Installs a permanent filter for the calling thread and the threads and processes that it starts.
// `without` is a set of the constants above. A negative result indicates an error, with errno.
int offread_filter_begin(uint32_t without);
