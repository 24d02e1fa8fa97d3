#pragma once
#include <stdlib.h>
#include <libxml/xmlversion.h>
/* With this, libxml/encoding.h includes ICU's headers, whose types clash with the ones that
   Foundation brings along. It only hides two fields of a struct that nobody here reads. */
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>

/* The version of the library that runs, as LIBXML_VERSION is that of the headers: 20914 for
   2.9.14. Swift cannot import the mutable global. */
static inline int offread_xml_running_version(void) { return atoi(xmlParserVersion); }
