/*
 * schema_file.h - table schemas in files: the unified schema format, and DDL text.
 *
 * Rules: spec/load_transform.md 3.1, spec/write_test.md 2.2. A value names a file
 * when it looks like a path; paths are relative to the project's root. All functions return 0, or -1 with a
 * finding of the action.
 */
#ifndef LHP_EMIT_SCHEMA_FILE_H
#define LHP_EMIT_SCHEMA_FILE_H

#include "emit/module.h"

/* Holds `.yaml`, `.yml`, `.json`, `.ddl` or `.sql` anywhere (any case), or a '/' or '\'. */
bool schema_is_file(struct str value);

enum schema_text { SCHEMA_TEXT_DDL, SCHEMA_TEXT_ANY };

/*
 * A schema as DDL: "a INT NOT NULL, `b c` STRING" of the columns of a unified file, or the trimmed text of
 * a plain one. Plain are `.ddl` and `.sql` (SCHEMA_TEXT_DDL: schema hints), or all but `.yaml`, `.yml`
 * and `.json` (SCHEMA_TEXT_ANY: table_schema).
 */
int schema_ddl_read(struct module *m, const struct action *a, const struct node *path, enum schema_text plain, struct str *ddl);

/* `# Define schema` and `VARIABLE = StructType([…])` of a unified file, with their imports; an empty line follows. */
int schema_struct_write(struct module *m, struct buf *b, const struct action *a, const struct node *path, struct str variable);

#endif
