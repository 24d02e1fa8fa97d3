#pragma once
/* Included first, because libunistring redefines int32_t and similar types while its headers are
   read, which must not affect the declarations of the C library. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistr.h>
#include <uniwidth.h>
#include <unilbrk.h>
#include <unigbrk.h>
#include <uniwbrk.h>
#include <unicase.h>
#include <uninorm.h>
#include <unictype.h>
#include <unistring/version.h>
