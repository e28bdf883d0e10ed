import type { Source, SourceItem, Storage } from '../../../src/ports/index.ts';
import type { StorageHarness } from '../../../src/testing/harness.ts';
import type { SourceOutcome } from '../../../src/testing/source-faults.contract.ts';
import { world } from '../../app/import/support.ts';
import { THOROUGH_STORES } from '../../security/support/two-stores.ts';

/** Names that the suites give to hosts, and one that no source has any more. */
const BEFORE = Array.from({ length: 25 }, (_, index) => `web${index + 1}.example.org`);

/** How the sources of the program are run with all their faults: into each store, beside being read and nothing else. */
export const IMPORTED = THOROUGH_STORES.map(([store, create]) => ({
  how: `imported into ${store}`,
  run: (source: Source) => importedInto(create, source),
}));

async function importedInto(create: StorageHarness['create'], source: Source): Promise<SourceOutcome> {
  const opened = await create();
  try {
    return await importedOver(source, opened.storage);
  } finally {
    await opened.close();
  }
}

/** Imports a source over hosts that are there, with an account that archives what its source no longer names. */
async function importedOver(source: Source, storage: Storage): Promise<SourceOutcome> {
  const { run } = await world(storage);
  const options = { delete_host_if_not_found_on_import: true };
  await run({ read: () => recordsOf(BEFORE) }, { options });
  const hostnames: string[] = [];
  const watched: Source = {
    async *read(context) {
      for await (const batch of source.read(context)) {
        for (const item of batch) if (item.kind === 'record') hostnames.push(item.hostname);
        yield batch;
      }
    },
  };
  const { status, message } = await run(watched, { options });
  const left = new Set<string>();
  const everyActive = { scope: null, kind: 'all', state: 'active' } as const;
  for await (const batch of storage.hosts.scan(everyActive, 100)) for (const host of batch) left.add(host.hostname);
  return { status, message, hostnames, archived: BEFORE.filter((hostname) => !left.has(hostname)) };
}

async function* recordsOf(hostnames: readonly string[]): AsyncGenerator<readonly SourceItem[]> {
  yield hostnames.map((hostname, index) => ({ kind: 'record', position: `record ${index + 1}`, hostname, labels: {} }));
}
