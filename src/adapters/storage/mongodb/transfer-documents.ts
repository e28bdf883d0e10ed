import type { Collection, Document } from 'mongodb';
import type { TransferPart } from '../../../ports/index.ts';
import { keyFields, TRANSFER_TABLE, type TransferItem } from '../shared/transfer-table.ts';
import type { Database } from './schema.ts';

/** The place of a part in the database. */
interface PartPlace {
  readonly collection: keyof Database;
  /** Members that are not named as their field is. */
  readonly names?: Readonly<Record<string, string>>;
  /** Members that are not fields, and their values after a transfer. */
  readonly fixed?: Readonly<Record<string, number | boolean>>;
}

const PLACES = {
  rules: { collection: 'rules' },
  rule_versions: { collection: 'ruleVersions' },
  hosts: { collection: 'hosts', names: { hostname: '_id', accountId: 'account', runId: 'run' } },
  relations: { collection: 'relations' },
  account_marks: { collection: 'accountMarks' },
  host_comments: { collection: 'hostComments' },
  logs: { collection: 'logs', names: { id: '_id' } },
  audit: { collection: 'audit', names: { id: '_id' } },
  audit_chain: { collection: 'auditChain' },
  token_uses: { collection: 'tokenUses', names: { tokenId: '_id' } },
  cron_states: { collection: 'cronStates', names: { groupId: '_id' }, fixed: { leaseUntil: 0 } },
  playbook_runs: {
    collection: 'playbookRuns',
    names: { id: '_id' },
    fixed: { leaseUntil: 0, cancelRequested: false },
  },
  playbook_matches: { collection: 'playbookMatches' },
  ownership: { collection: 'ownership' },
  host_counts: { collection: 'hostCounts', names: { day: '_id' } },
} satisfies Readonly<Partial<Record<TransferPart, PartPlace>>>;

/** Parts that are a collection. Hosts hold their contributions, and not every document of the history is a change. */
export type CollectionPart = keyof typeof PLACES;

export function collectionOf({ control }: Database, part: CollectionPart): Collection<Document> {
  return control.db.collection(PLACES[part].collection);
}

/** The members of the key, by which documents are found and sorted. */
export function keyMembers(part: CollectionPart): readonly string[] {
  const { names = {} }: PartPlace = PLACES[part];
  return keyFields(part).map((field) => names[field] ?? field);
}

export function itemOfDocument<Part extends CollectionPart>(part: Part, document: Document): TransferItem<Part> {
  const { names = {} }: PartPlace = PLACES[part];
  const item: Record<string, unknown> = {};
  for (const [field, kind] of Object.entries(TRANSFER_TABLE[part].fields)) {
    const { absent = null } = kind;
    const value: unknown = document[names[field] ?? field];
    if ('isOptional' in kind && (value === undefined || value === null)) continue;
    item[field] = value instanceof Date ? value.getTime() : (value ?? absent);
  }
  // These are the fields that the type is inferred from.
  return item as TransferItem<Part>;
}

export function documentOf<Part extends CollectionPart>(part: Part, item: TransferItem<Part>): Document {
  const { names = {}, fixed }: PartPlace = PLACES[part];
  const values: Readonly<Record<string, unknown>> = item;
  const document: Document = { ...fixed };
  for (const [field, { form, absent }] of Object.entries(TRANSFER_TABLE[part].fields)) {
    const value = values[field];
    if (value === absent) continue;
    document[names[field] ?? field] = form === 'moment' && typeof value === 'number' ? new Date(value) : value;
  }
  return document;
}
