#pragma once
#include <stdint.h>

// The system calls of landlock(7); see Landlock.c. A negative result indicates an error, with
// errno.
int offread_landlock_version(void);
int offread_landlock_create(uint64_t rights, uint64_t scopes);
int offread_landlock_open(const char *path);
int offread_landlock_allow(int ruleset, int path, uint64_t rights);
int offread_landlock_enforce(int ruleset);
