#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a macro with a cast, which Swift cannot import: SQLite makes a copy.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// These functions have variable arguments, which Swift cannot call.

// Must be called before all other functions of SQLite. Without the statistics of its memory, SQLite takes no lock
// for each allocation.
static inline int csqlite_disable_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// The memory of a connection for small values: `count` pieces, most of them divided into small ones.
static inline int csqlite_set_small_memory(sqlite3 *database, int bytes, int count) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, bytes, count);
}
