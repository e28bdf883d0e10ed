import { describe, it } from 'vitest';
import { createSqlite } from '../../adapters/sqlite/sqlite-harness.ts';
import { useStore } from './support.ts';

const THOROUGH = process.env.THOROUGH === '1';

// What the import does with parts, sections, edges and keys, which its own tests try in memory.
describe.runIf(THOROUGH)('SQLite', async () => {
  useStore(createSqlite);
  await import('./parts-and-types.test.ts');
  await import('./fills-section.test.ts');
  await import('./inventorize.test.ts');
  await import('./relations.test.ts');
  await import('./keys.test.ts');
  await import('./named-keys.test.ts');
  await import('./several-hosts.test.ts');
});

it.skipIf(THOROUGH)('waits for the thorough run', () => undefined);
