// A VFS shim for database files whose pages end in a checksum, so that no query uses a damaged
// page. It verifies reads from the database file and adds checksums to writes. It does not verify
// the write-ahead log, which has checksums of SQLite's own; those are verified when the log is
// opened, not at each read. The checksums use the reserved bytes of the file format at the end of
// each page, so other programs can read such a file; pages that they write are reported as damaged.

#include <CSQLite.h>
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>

enum { SEAL_SIZE = 8, HEADER_SIZE = 100, MIN_PAGE = 512, MAX_PAGE = 65536 };

typedef struct {
  sqlite3_file base;
  /// The page size in bytes, or 0 while the file is empty.
  int pageSize;
  /// The file of the system's VFS follows in memory.
} File;

static sqlite3_vfs *systemVFS;
static sqlite3_vfs sealedVFS;
static sqlite3_io_methods methods[2];

#define SYSTEM(file) ((sqlite3_file *)((File *)(file) + 1))
#define CALL(file, method) SYSTEM(file)->pMethods->method

/// Returns the checksum of a page. Each of the four lanes is a bijection of every word, so a change
/// within one word is always detected. The page number is included, so swapped pages are detected,
/// too.
static uint64_t seal(const unsigned char *page, int size, uint64_t number) {
  const uint64_t prime = 0x9E3779B97F4A7C15;
  uint64_t lanes[4] = {number * prime + 1, 2, 3, 4};
  int count = (size - SEAL_SIZE) / 8;
  for (int word = 0; word < count; word++) {
    uint64_t value;
    memcpy(&value, page + 8 * word, 8);
    uint64_t *lane = &lanes[word & 3];
    *lane = (*lane ^ value) * prime;
    *lane ^= *lane >> 29;
  }
  uint64_t result = 0;
  for (int lane = 0; lane < 4; lane++) {
    result = (result ^ lanes[lane]) * prime;
    result ^= result >> 32;
  }
  return result;
}

/// Reads the page size from the header of the file.
/// Returns whether it is a database with checksums.
static int learn(File *file, const unsigned char *header) {
  int size = header[16] << 8 | header[17];
  if (size == 1) size = MAX_PAGE;
  if (memcmp(header, "SQLite format 3", 16) != 0 || header[20] != SEAL_SIZE || size < MIN_PAGE ||
      (size & (size - 1)) != 0)
    return 0;
  file->pageSize = size;
  return 1;
}

/// Reads the page size of a file that was empty when it was opened.
static void learnLate(File *file) {
  unsigned char header[HEADER_SIZE];
  if (CALL(file, xRead)(SYSTEM(file), header, HEADER_SIZE, 0) == SQLITE_OK) learn(file, header);
}

static int readFile(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  int result = CALL(file, xRead)(SYSTEM(file), buffer, count, offset);
  File *sealed = (File *)file;
  if (result == SQLITE_IOERR_SHORT_READ && count >= MIN_PAGE) {
    // SQLite replaces the missing part of a page by zeros.
    sqlite3_int64 size = 0;
    if (CALL(file, xFileSize)(SYSTEM(file), &size) == SQLITE_OK && size > offset)
      return SQLITE_IOERR_DATA;
  }
  if (result != SQLITE_OK) return result;
  if (offset == 0 && count >= HEADER_SIZE && !learn(sealed, buffer)) return SQLITE_NOTADB;
  if (count < MIN_PAGE) return SQLITE_OK;
  if (sealed->pageSize == 0) learnLate(sealed);
  if (count != sealed->pageSize || offset % count != 0) return SQLITE_IOERR_DATA;
  uint64_t expected = seal(buffer, count, (uint64_t)(offset / count) + 1);
  if (memcmp((unsigned char *)buffer + count - SEAL_SIZE, &expected, SEAL_SIZE) != 0)
    return SQLITE_IOERR_DATA;
  return SQLITE_OK;
}

static int writeFile(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  File *sealed = (File *)file;
  unsigned char page[MAX_PAGE];
  if (offset == 0 && count >= HEADER_SIZE) learn(sealed, bytes);
  if (sealed->pageSize == 0) learnLate(sealed);
  if (sealed->pageSize == 0 || count != sealed->pageSize || offset % count != 0)
    return CALL(file, xWrite)(SYSTEM(file), bytes, count, offset);
  memcpy(page, bytes, (size_t)(count - SEAL_SIZE));
  uint64_t value = seal(page, count, (uint64_t)(offset / count) + 1);
  memcpy(page + count - SEAL_SIZE, &value, SEAL_SIZE);
  return CALL(file, xWrite)(SYSTEM(file), page, count, offset);
}

static int closeFile(sqlite3_file *file) { return CALL(file, xClose)(SYSTEM(file)); }
static int truncateFile(sqlite3_file *file, sqlite3_int64 size) {
  return CALL(file, xTruncate)(SYSTEM(file), size);
}
static int syncFile(sqlite3_file *file, int flags) { return CALL(file, xSync)(SYSTEM(file), flags); }
static int fileSize(sqlite3_file *file, sqlite3_int64 *size) {
  return CALL(file, xFileSize)(SYSTEM(file), size);
}
static int lockFile(sqlite3_file *file, int lock) { return CALL(file, xLock)(SYSTEM(file), lock); }
static int unlockFile(sqlite3_file *file, int lock) { return CALL(file, xUnlock)(SYSTEM(file), lock); }
static int checkLock(sqlite3_file *file, int *isLocked) {
  return CALL(file, xCheckReservedLock)(SYSTEM(file), isLocked);
}
static int control(sqlite3_file *file, int operation, void *argument) {
  return CALL(file, xFileControl)(SYSTEM(file), operation, argument);
}
static int sectorSize(sqlite3_file *file) { return CALL(file, xSectorSize)(SYSTEM(file)); }
static int characteristics(sqlite3_file *file) {
  return CALL(file, xDeviceCharacteristics)(SYSTEM(file));
}
static int mapShared(sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  return CALL(file, xShmMap)(SYSTEM(file), region, size, extend, memory);
}
static int lockShared(sqlite3_file *file, int offset, int count, int flags) {
  return CALL(file, xShmLock)(SYSTEM(file), offset, count, flags);
}
static void shareBarrier(sqlite3_file *file) { CALL(file, xShmBarrier)(SYSTEM(file)); }
static int unmapShared(sqlite3_file *file, int isDeleting) {
  return CALL(file, xShmUnmap)(SYSTEM(file), isDeleting);
}

static int openFile(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *outFlags) {
  (void)vfs;
  // Logs, journals and temporary files are opened by the system's VFS.
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0)
    return systemVFS->xOpen(systemVFS, name, file, flags, outFlags);
  File *sealed = (File *)file;
  memset(sealed, 0, sizeof *sealed);
  int result = systemVFS->xOpen(systemVFS, name, SYSTEM(file), flags, outFlags);
  if (result == SQLITE_OK || SYSTEM(file)->pMethods != 0)
    sealed->base.pMethods = &methods[SYSTEM(file)->pMethods->iVersion >= 2];
  return result;
}

int sealed_pages_register(void) {
  int result = sqlite3_initialize();
  if (result != SQLITE_OK || sqlite3_vfs_find(SEALED_PAGES) != 0) return result;
  systemVFS = sqlite3_vfs_find(0);
  if (systemVFS == 0) return SQLITE_ERROR;
  // Without the methods of version 3, SQLite does not map the file into memory, which would bypass
  // the checksums.
  for (int version = 0; version < 2; version++)
    methods[version] = (sqlite3_io_methods){
        .iVersion = version + 1,
        .xClose = closeFile,
        .xRead = readFile,
        .xWrite = writeFile,
        .xTruncate = truncateFile,
        .xSync = syncFile,
        .xFileSize = fileSize,
        .xLock = lockFile,
        .xUnlock = unlockFile,
        .xCheckReservedLock = checkLock,
        .xFileControl = control,
        .xSectorSize = sectorSize,
        .xDeviceCharacteristics = characteristics,
        .xShmMap = mapShared,
        .xShmLock = lockShared,
        .xShmBarrier = shareBarrier,
        .xShmUnmap = unmapShared};
  // Everything except opening is left to the functions of the system's VFS.
  sealedVFS = *systemVFS;
  sealedVFS.pNext = 0;
  sealedVFS.zName = SEALED_PAGES;
  sealedVFS.szOsFile = (int)sizeof(File) + systemVFS->szOsFile;
  sealedVFS.xOpen = openFile;
  return sqlite3_vfs_register(&sealedVFS, 0);
}

int sealed_pages_reserve(struct sqlite3 *database) {
  int size = SEAL_SIZE;
  return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &size);
}
