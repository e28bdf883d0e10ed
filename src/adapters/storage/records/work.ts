import type { RecordStore, WorkStore } from '../../../ports/index.ts';
import { type StoredWork, workStore } from '../shared/work.ts';
import { RecordKind } from './record-kind.ts';

/** Entries read at once. */
const PAGE = 100;

export function recordedWork(records: () => RecordStore): WorkStore {
  const kind = new RecordKind<StoredWork>(records, { name: 'work', key: ({ id }) => id });
  return workStore({
    change: (id, decide) => kind.change(id, decide),
    async list() {
      const works: StoredWork[] = [];
      const now = await kind.now();
      for await (const page of kind.pages({ limit: PAGE })) works.push(...page.map(({ item }) => item));
      return { now, works };
    },
  });
}
