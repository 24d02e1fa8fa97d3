#pragma once
#include <stddef.h>
#include <stdint.h>

// Which pages the threads of the process are processing, in a file that is left when it dies; see PageWatch.c. A name is at
// most OFFREAD_WATCH_NAME bytes, what is longer is cut.
enum { OFFREAD_WATCH_SLOTS = 64, OFFREAD_WATCH_NAME = 1016 };
// Makes the file under a draft name, locks it and moves it to its own; watches for faults from then on. Negative when
// that is not possible, or was done.
int offread_watch_open(const char *path, const char *draft, const char *version);
// Writes down what the thread begins with. Negative when nothing is written, as within another page.
int offread_watch_begin(const char *name, size_t length);
void offread_watch_end(int slot);
// Removes the file.
void offread_watch_close(void);
