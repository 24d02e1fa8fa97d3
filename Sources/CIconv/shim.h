#pragma once
#include <errno.h>
#include <iconv.h>
