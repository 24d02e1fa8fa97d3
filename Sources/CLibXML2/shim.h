#pragma once
#include <libxml/xmlversion.h>
/* With this, libxml/encoding.h includes ICU's headers, whose types clash with the ones that
   Foundation brings along. It only hides two fields of a struct that nobody here reads. */
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
