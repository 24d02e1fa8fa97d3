#pragma once
#include <stdint.h>

// What of seccomp(2) is needed; see Seccomp.c.

// No sockets at all; otherwise none but those of the internet.
#define OFFREAD_NO_NETWORK 1U
// Nothing is changed: no file is opened to be written, no name made or removed, nobody sent a signal.
#define OFFREAD_NO_CHANGES 2U
// No other process and no other program, and signals to no other process.
#define OFFREAD_NO_PROGRAMS 4U
// No socket is made or joined to another; those that are open go on.
#define OFFREAD_NO_SOCKETS 8U

// Whether there are filters for this kernel and this architecture.
int offread_filter_works(void);
// Gives up calls for good, for the calling thread and what it begins. Negative, with errno, when it fails.
int offread_filter_begin(uint32_t without);
