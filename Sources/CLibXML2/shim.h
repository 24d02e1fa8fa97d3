#pragma once
#include <stdlib.h>
#include <libxml/xmlversion.h>
/* If this is defined, libxml/encoding.h includes ICU's headers, whose types conflict with those in
   Foundation. Undefining it only hides two fields of a structure that are not used here. */
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>

/* The version of the loaded library, such as 20914 for 2.9.14; LIBXML_VERSION is that of the
   headers. Swift cannot import the mutable global variable. */
static inline int offread_xml_running_version(void) { return atoi(xmlParserVersion); }
