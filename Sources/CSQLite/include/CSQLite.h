#pragma once

struct sqlite3;

/// The name under which `sealed_pages_register` makes files known to SQLite (its VFS).
#define SEALED_PAGES "offread"

/// Makes files known whose pages end in a checksum. To be called before such a file is opened.
/// Returns an SQLite result code.
int sealed_pages_register(void);

/// Has a database that is not yet written leave room for the checksums.
/// Returns an SQLite result code.
int sealed_pages_reserve(struct sqlite3 *database);
