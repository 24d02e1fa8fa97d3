#pragma once

struct sqlite3;

/// The name of the VFS that `sealed_pages_register` registers.
#define SEALED_PAGES "offread"

/// Registers a VFS for database files whose pages end in a checksum. Call it before opening such a
/// file. Returns an SQLite result code.
int sealed_pages_register(void);

/// Reserves bytes for the checksums in the pages of a database that has not been written yet.
/// Returns an SQLite result code.
int sealed_pages_reserve(struct sqlite3 *database);
