import { ownMember } from '../../kit/document/members.ts';
import type { RuleRecord, RuleType } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { isVisible } from './require-rule.ts';
import type { RuleServices } from './services.ts';
import { type HeldVersion, heldVersionsOf } from './trust/held-versions.ts';
import { actsOf, isUnconfirmedAccount } from './trust/pending.ts';
import { shownAccounts } from './trust/shown-accounts.ts';

export interface PendingDocument {
  readonly record: RuleRecord;
  /** The acts that it would make the machine perform. */
  readonly acts: readonly string[];
}

const BATCH_SIZE = 250;
const MOST_NAMED = 3;

/**
 * The documents that wait for an administrator, by type and name; behind them the accounts that wait only because confirmed
 * documents which act show their fields.
 */
export async function* pendingDocuments(services: RuleServices, caller?: Caller): AsyncGenerator<PendingDocument> {
  const unconfirmed = await unconfirmedAccounts(services);
  const names = new Set(unconfirmed.keys());
  /** By account, who shows it. */
  const shownBy = new Map<string, string[]>();
  for (const type of services.plugins.ruleTypes()) {
    if (type.kept !== undefined) continue;
    const held = new Map(await heldVersionsOf(services.storage.rules, type));
    for await (const batch of services.storage.rules.scan(type.id, BATCH_SIZE)) {
      for (const record of batch) {
        const version = held.get(record.id);
        held.delete(record.id);
        if (record.confirmedBy === null) {
          const acts = [...actsOf(type, record), ...(version === undefined ? [] : [changeOf(version)])];
          if (acts.length > 0 && isSeen(type, record, caller)) yield { record, acts };
        } else noteShown(type, record, names, shownBy);
      }
    }
    for (const { acting } of held.values()) {
      if (acting === undefined || !isSeen(type, acting, caller)) continue;
      yield { record: acting, acts: [removalOf(acting)] };
    }
  }
  yield* shownAndPending(services, unconfirmed, shownBy, caller);
}

/** Describes the effect of a change whose former version is held, in words that follow "it". */
export function changeOf({ acting }: HeldVersion): string {
  return acting === undefined
    ? 'shows what is hidden'
    : `takes the place of version ${acting.version}, which acts until then`;
}

export function removalOf({ version }: Pick<RuleRecord, 'version'>): string {
  return `is removed; version ${version} acts until then`;
}

/** Returns, for each account that counts as data, its records that are not confirmed: its own, its parent's. */
async function unconfirmedAccounts({ accounts }: RuleServices): Promise<ReadonlyMap<string, readonly RuleRecord[]>> {
  const found = (await accounts.list(null)).filter(isUnconfirmedAccount).map(({ name, record, parentRecord }) => {
    const records = [record, parentRecord].filter((candidate) => candidate?.confirmedBy === null);
    return [name, records.filter((candidate) => candidate !== undefined)] as const;
  });
  return new Map(found);
}

function noteShown(
  type: RuleType,
  record: RuleRecord,
  accounts: ReadonlySet<string>,
  shownBy: Map<string, string[]>,
): void {
  const shown = shownAccounts(record, accounts);
  if (shown.length === 0 || ownMember(record.document.value, 'enabled') === false) return;
  if (actsOf(type, record).length === 0) return;
  for (const name of shown) shownBy.set(name, [...(shownBy.get(name) ?? []), `${type.id} ${record.name}`]);
}

function* shownAndPending(
  { plugins }: RuleServices,
  unconfirmed: ReadonlyMap<string, readonly RuleRecord[]>,
  shownBy: ReadonlyMap<string, readonly string[]>,
  caller: Caller | undefined,
): Generator<PendingDocument> {
  const type = plugins.ruleType('accounts');
  if (type === undefined) return;
  const fills = new Map<RuleRecord, Set<string>>();
  for (const [name, documents] of shownBy) {
    for (const record of unconfirmed.get(name) ?? []) {
      // One that would be read from or written to was named already.
      if (actsOf(type, record).length > 0) continue;
      const noted = fills.get(record) ?? new Set();
      fills.set(record, noted);
      for (const document of documents) noted.add(document);
    }
  }
  for (const [record, documents] of fills) {
    if (isSeen(type, record, caller)) yield { record, acts: [`fills ${listed([...documents])}`] };
  }
}

function listed(documents: readonly string[]): string {
  const more = documents.length - MOST_NAMED;
  return `${documents.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function isSeen(type: RuleType, record: RuleRecord, caller: Caller | undefined): boolean {
  return caller === undefined || isVisible(type, record, caller);
}
