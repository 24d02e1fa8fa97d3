#pragma once
/* First, because libunistring redefines int32_t and its kind while its own headers are read, and
   what the C library declares must not be read under those names. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistr.h>
#include <uniwidth.h>
#include <unilbrk.h>
#include <unigbrk.h>
#include <unicase.h>
#include <uninorm.h>
#include <unictype.h>
#include <unistring/version.h>
