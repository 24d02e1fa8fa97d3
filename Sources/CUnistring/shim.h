#pragma once
#include <unistr.h>
#include <uniwidth.h>
#include <unilbrk.h>
#include <unigbrk.h>
#include <unicase.h>
#include <uninorm.h>
#include <unictype.h>
