#pragma once
#include <fribidi/fribidi.h>

// What the library says of itself; a variable, which Swift does not read.
static inline const char *offread_fribidi_version(void) { return fribidi_version_info; }
