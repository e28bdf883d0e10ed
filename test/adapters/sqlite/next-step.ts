import { writeFile } from 'node:fs/promises';
import { SCHEMA_STEPS, type SchemaSteps } from '../../../src/adapters/storage/sqlite/schema-steps.ts';

/** The steps of the program with one more, which the file holds: upgrades are tested before there is anything to upgrade. */
export async function nextSteps(file: string): Promise<SchemaSteps> {
  await writeFile(file, 'CREATE TABLE `next_step` (`id` text PRIMARY KEY NOT NULL);');
  const { first, last, migrations } = SCHEMA_STEPS;
  return { first, last: last + 1, migrations: () => [...migrations(), file] };
}
