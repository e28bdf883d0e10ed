import type { RecordChange, RecordStore, TransferPart, TransferRecord } from '../../../ports/index.ts';
import { itemOf, recordOf, type TransferItem } from '../shared/transfer-table.ts';
import { tokenUseKind } from './access.ts';
import { auditChainKind, auditKind } from './audit.ts';
import { commentKind } from './comments.ts';
import { cronStateKind } from './cron-states.ts';
import { hostCountKind } from './host-counts.ts';
import { logKind } from './logs.ts';
import { ownershipKind } from './ownership.ts';
import { playbookMatchKind, playbookOutputKind, playbookRunKind } from './playbooks.ts';
import type { Kept, RecordKind } from './record-kind.ts';

/** Parts of a transfer that are records; their keys are those of the transfer. */
const RECORD_PARTS = [
  'host_comments',
  'logs',
  'audit',
  'audit_chain',
  'token_uses',
  'cron_states',
  'playbook_runs',
  'playbook_matches',
  'ownership',
  'host_counts',
] as const satisfies readonly TransferPart[];

export type RecordPart = (typeof RECORD_PARTS)[number];

export function isRecordPart(part: TransferPart): part is RecordPart {
  return (RECORD_PARTS as readonly TransferPart[]).includes(part);
}

/** A part as records. */
interface PartOfRecords<Item> {
  readonly kind: Pick<RecordKind<never>, 'name' | 'count'>;
  read(after: string, limit: number): Promise<readonly { readonly key: string; readonly item: Item }[]>;
  put(item: Item): readonly RecordChange[];
}

type PartsOfRecords = { readonly [Part in RecordPart]: PartOfRecords<TransferItem<Part>> };

/** The content of those `TransferPart`s that are records, in a store or in one state of it. */
export class TransferredRecords {
  readonly #records: RecordStore;
  readonly #parts: PartsOfRecords;

  constructor(records: RecordStore) {
    this.#records = records;
    this.#parts = partsOf(() => records);
  }

  /** The records behind a key, in order. */
  async read<Part extends RecordPart>(part: Part, after: string, limit: number): Promise<readonly TransferRecord[]> {
    const found = await this.#parts[part].read(after, limit);
    return found.map(({ item }) => recordOf(part, item));
  }

  count(part: RecordPart): Promise<number> {
    return this.#parts[part].kind.count();
  }

  async write<Part extends RecordPart>(part: Part, records: readonly TransferRecord[]): Promise<void> {
    const changes = records.flatMap((record) => this.#parts[part].put(itemOf(part, record)));
    if (changes.length > 0) await this.#records.write(changes);
  }
}

function partsOf(records: () => RecordStore): PartsOfRecords {
  const runs = playbookRunKind(records);
  const outputs = playbookOutputKind(records);
  const cron = cronStateKind(records);
  return {
    host_comments: plain(commentKind(records)),
    logs: plain(logKind(records)),
    audit: plain(auditKind(records)),
    audit_chain: plain(auditChainKind(records)),
    token_uses: plain(tokenUseKind(records)),
    cron_states: { ...plain(cron), put: (item) => [cron.put({ ...item, leaseUntil: 0 })] },
    playbook_runs: {
      kind: runs,
      async read(after, limit) {
        const kept = await readBehind(runs, after, limit);
        const printed = await outputs.findEach(kept.map(({ key }) => key));
        return kept.map(({ key, item }) => ({ key, item: { ...item, output: printed.get(key)?.item.output ?? '' } }));
      },
      put: ({ output, ...item }) => [
        runs.put({ ...item, leaseUntil: 0, cancelRequested: false }),
        outputs.put({ id: item.id, output }),
      ],
    },
    playbook_matches: plain(playbookMatchKind(records)),
    ownership: plain(ownershipKind(records)),
    host_counts: plain(hostCountKind(records)),
  };
}

function plain<Item>(kind: RecordKind<Item>): PartOfRecords<Item> {
  return { kind, read: (after, limit) => readBehind(kind, after, limit), put: (item) => [kind.put(item)] };
}

async function readBehind<Item>(kind: RecordKind<Item>, after: string, limit: number): Promise<readonly Kept<Item>[]> {
  return (await kind.list({ ...(after !== '' && { after }), limit })).items;
}
