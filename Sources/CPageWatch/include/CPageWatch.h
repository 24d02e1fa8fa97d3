#pragma once
#include <stddef.h>
#include <stdint.h>

// Records which pages the threads of the process are processing, in a file that remains if the
// process crashes; see PageWatch.c. Names longer than OFFREAD_WATCH_NAME bytes are truncated.
enum { OFFREAD_WATCH_SLOTS = 64, OFFREAD_WATCH_NAME = 1016 };
// Creates the file at the path `draft`, locks it, renames it to `path`, and installs signal
// handlers for faults. Negative if that fails or was done before.
int offread_watch_open(const char *path, const char *draft, const char *version);
// Records the page that the thread starts to process. Returns its slot, or a negative value if
// nothing is recorded, as when the thread is already processing a page.
int offread_watch_begin(const char *name, size_t length);
void offread_watch_end(int slot);
// Removes the file.
void offread_watch_close(void);
