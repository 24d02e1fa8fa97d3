#pragma once
/* Nothing to call: its functions have the names of libcurl's. Only a program links this, never a library
   that others use. */
