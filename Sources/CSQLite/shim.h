#include <sqlite3.h>

/* sqlite3_db_config takes variable arguments, which Swift does not call. */
static inline int storebrowser_db_config(sqlite3 *connection, int option, int on) {
  return sqlite3_db_config(connection, option, on, (int *)0);
}
