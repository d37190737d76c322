#pragma once
#include <sqlite3.h>

// With SQLITE_TRANSIENT, SQLite copies the text. Swift cannot import this macro, because it contains a cast.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
  return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// The next two functions call functions with variable arguments, which Swift cannot call.

// Must be called before all other functions of SQLite. Without the statistics of its memory, SQLite takes no lock for
// each allocation.
static inline int csqlite_disable_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Sets the memory of a connection for small values (lookaside): `count` pieces of `bytes` bytes. SQLite divides most of
// these pieces into smaller pieces.
static inline int csqlite_set_small_memory(sqlite3 *database, int bytes, int count) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_LOOKASIDE, (void *)0, bytes, count);
}
