#pragma once
#include <fribidi/fribidi.h>

// The version text of the library, a global variable that Swift cannot import.
static inline const char *offread_fribidi_version(void) { return fribidi_version_info; }
