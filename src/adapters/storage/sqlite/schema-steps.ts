import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../ports/index.ts';

/** How the schema came about: each migration adds one to the number that a database keeps. */
export interface SchemaSteps {
  /** Number after the first migration. Older databases are no longer upgraded. */
  readonly first: number;
  /** Number after all migrations. */
  readonly last: number;
  /** The SQL files in order. */
  migrations(): readonly string[];
}

/**
 * The first migration makes the schema of 20 steps that came before the first release. A database at it needs no other mark than this
 * number, which its last step gave it. A test compares `last` with the folder; start-up must not read files to know it.
 */
export const SCHEMA_STEPS: SchemaSteps = { first: 20, last: 22, migrations };

/** Returns the migrations, which are next to this module in the sources and next to the bundle in the build. */
function migrations(): readonly string[] {
  const folder = new URL('./migrations/', import.meta.url);
  if (!existsSync(folder)) {
    throw new AppError(
      'failed',
      'The migrations of the database are missing from this installation; install it again.',
    );
  }
  const journal: { entries: { tag: string }[] } = JSON.parse(
    readFileSync(new URL('meta/_journal.json', folder), 'utf8'),
  );
  return journal.entries.map((entry) => fileURLToPath(new URL(`${entry.tag}.sql`, folder)));
}
