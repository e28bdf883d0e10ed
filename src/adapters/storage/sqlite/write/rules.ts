import type { ConfirmedBy, RuleOutcome, RuleRemoval, RuleWrite } from '../../../../ports/index.ts';
import { confirmationAfter, stronger } from '../../shared/confirmation.ts';
import { documentWithId } from '../../shared/rule-text.ts';
import type { TransferItem } from '../../shared/transfer-table.ts';
import type { Connection } from '../connection.ts';
import type { ChangeBy, WriteContext } from './context.ts';

export interface SentRule {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly uniqueName: boolean;
  readonly uniqueValue: string | null;
  readonly document: string;
  readonly confirmedBy: RuleWrite['confirmedBy'];
}

export type WrittenRule = Omit<TransferItem<'rules'>, 'changedAt'>;

export const WRITTEN_RULE =
  'SELECT type, id, name, unique_value AS uniqueValue, version, document, confirmed_by AS confirmedBy FROM rules';

export interface RulesMessage extends ChangeBy {
  readonly entries: readonly (SentRule | RuleRemoval)[];
  readonly mode: 'skip' | 'replace';
  readonly basis: ReadonlyMap<string, number>;
}

export function writeRules(context: WriteContext, message: RulesMessage): RuleOutcome[] {
  const { entries, basis } = message;
  if (hasMoved(context, basis)) return entries.map(() => 'changed');
  const kept = keptVersions(context.connection, entries);
  return entries.map((entry) => {
    if (!('removes' in entry)) return writeRule(context, entry, message, kept);
    const present = findRule(context.connection, entry.type, entry.id);
    if (present?.version !== entry.removes) return 'conflict';
    removePresent(context, present, message);
    return 'removed';
  });
}

/** Revisions are written behind the last job of a transaction, so one that an earlier job of it moves is not in the table yet. */
function hasMoved({ connection, changes }: WriteContext, basis: ReadonlyMap<string, number>): boolean {
  const sql = 'SELECT value FROM revisions WHERE name = ?';
  return [...basis].some(
    ([name, value]) => changes.moves(name) || (connection.getRaw<[number]>(sql, name)?.[0] ?? 0) !== value,
  );
}

function writeRule(context: WriteContext, entry: SentRule, message: RulesMessage, kept: KeptVersions): RuleOutcome {
  const { connection } = context;
  const byId = findRule(connection, entry.type, entry.id);
  const present = byId ?? (entry.uniqueName ? findByName(connection, entry.type, entry.name) : undefined);
  if (present === undefined) {
    if (valueTaken(connection, entry, null)) return 'duplicate';
    putNewRule(context, entry, kept.get(entry.type)?.get(entry.id) ?? 0, message);
    return 'imported';
  }
  if (message.mode === 'skip') return 'duplicate';
  if (nameTaken(connection, entry, present.id)) return 'name_taken';
  if (valueTaken(connection, entry, present.id)) return 'duplicate';
  const document = byId === undefined ? documentWithId(entry.document, present.id) : entry.document;
  putRule(context, { ...entry, id: present.id, document }, present, message);
  return 'replaced';
}

export interface ReplaceRuleMessage extends ChangeBy {
  readonly entry: SentRule;
  readonly expectedVersion: number;
}

export function replaceRule(
  context: WriteContext,
  message: ReplaceRuleMessage,
): 'replaced' | 'conflict' | 'not_found' | 'name_taken' {
  const { connection } = context;
  const { entry } = message;
  const present = findRule(connection, entry.type, entry.id);
  if (present === undefined) return 'not_found';
  if (present.version !== message.expectedVersion) return 'conflict';
  if (nameTaken(connection, entry, present.id) || valueTaken(connection, entry, present.id)) return 'name_taken';
  putRule(context, entry, present, message);
  return 'replaced';
}

export interface ConfirmRuleMessage {
  readonly type: string;
  readonly id: string;
  readonly expectedVersion: number;
  readonly by: Exclude<ConfirmedBy, null>;
}

export function confirmRule(
  context: WriteContext,
  { type, id, expectedVersion, by }: ConfirmRuleMessage,
): 'confirmed' | 'conflict' | 'not_found' {
  const present = findRule(context.connection, type, id);
  if (present === undefined) return 'not_found';
  if (present.version !== expectedVersion) return 'conflict';
  setConfirmation(context, present, stronger(present.confirmedBy, by));
  return 'confirmed';
}

export interface RemoveRuleMessage extends ChangeBy {
  readonly type: string;
  readonly id: string;
}

export function removeRule(context: WriteContext, message: RemoveRuleMessage): boolean {
  const present = findRule(context.connection, message.type, message.id);
  if (present !== undefined) removePresent(context, present, message);
  return present !== undefined;
}

function removePresent(context: WriteContext, present: WrittenRule, by: ChangeBy): void {
  context.connection.run('DELETE FROM rules WHERE type = ? AND id = ?', present.type, present.id);
  keepVersion(context, present, present.version, 'removed', by);
  context.changes.revision(`rules/${present.type}`);
}

type WithoutUniqueness = Omit<SentRule, 'uniqueName'>;

/** Stores a document as the next version of `present`. One that is equal to the letter leaves no trace. */
export function putRule(context: WriteContext, rule: WithoutUniqueness, present: WrittenRule, by: ChangeBy): void {
  const isSame = present.document === rule.document && present.name === rule.name;
  const confirmedBy = confirmationAfter({ ...present, isSame }, rule.confirmedBy);
  if (isSame) {
    setConfirmation(context, present, confirmedBy);
    return;
  }
  const version = present.version + 1;
  storeRule(context, { ...rule, version, changedAt: by.at.getTime(), confirmedBy });
  keepVersion(context, rule, version, 'replaced', by);
}

/** `lastVersion` is the highest that is kept of its id. */
function putNewRule(context: WriteContext, rule: WithoutUniqueness, lastVersion: number, by: ChangeBy): void {
  const confirmedBy = confirmationAfter(undefined, rule.confirmedBy);
  const version = lastVersion + 1;
  storeRule(context, { ...rule, version, changedAt: by.at.getTime(), confirmedBy });
  keepVersion(context, rule, version, 'created', by);
}

function setConfirmation({ connection, changes }: WriteContext, rule: WrittenRule, confirmedBy: ConfirmedBy): void {
  if (rule.confirmedBy === confirmedBy) return;
  connection.run('UPDATE rules SET confirmed_by = ? WHERE type = ? AND id = ?', confirmedBy, rule.type, rule.id);
  changes.revision(`rules/${rule.type}`);
}

/** Stores a document as it is given, with its version. */
export function storeRule({ connection, changes }: WriteContext, rule: TransferItem<'rules'>): void {
  connection.run(
    `INSERT INTO rules (type, id, name, unique_value, version, changed_at, document, confirmed_by)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (type, id) DO UPDATE SET name = excluded.name, unique_value = excluded.unique_value,
     version = excluded.version, changed_at = excluded.changed_at, document = excluded.document,
     confirmed_by = excluded.confirmed_by`,
    rule.type,
    rule.id,
    rule.name,
    rule.uniqueValue,
    rule.version,
    rule.changedAt,
    rule.document,
    rule.confirmedBy,
  );
  changes.revision(`rules/${rule.type}`);
}

interface RewriteVersionsMessage {
  readonly type: string;
  readonly id: string;
  readonly documents: readonly { readonly version: number; readonly document: string }[];
}

export function rewriteVersions({ connection }: WriteContext, { type, id, documents }: RewriteVersionsMessage): void {
  const sql = 'UPDATE rule_versions SET document = ? WHERE type = ? AND id = ? AND version = ?';
  for (const { version, document } of documents) connection.run(sql, document, type, id, version);
}

export function pruneVersions({ connection }: WriteContext, before: number): number {
  return connection.run(
    `DELETE FROM rule_versions WHERE at < ? AND seq NOT IN
     (SELECT (SELECT max(seq) FROM rule_versions v WHERE v.type = r.type AND v.id = r.id) FROM rules r)`,
    before,
  );
}

function keepVersion(
  { connection }: WriteContext,
  rule: Pick<WrittenRule, 'type' | 'id' | 'name' | 'document'>,
  version: number,
  change: 'created' | 'replaced' | 'removed',
  by: ChangeBy,
): void {
  connection.run(
    'INSERT INTO rule_versions (type, id, name, version, at, actor, change, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    rule.type,
    rule.id,
    rule.name,
    version,
    by.at.getTime(),
    by.actor.name,
    change,
    rule.document,
  );
}

/** The highest version that is kept of a document, by type and id. */
type KeptVersions = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Asked once for all documents of a write: most are new, and a question for each would cost as much as storing it. */
function keptVersions(connection: Connection, entries: readonly Pick<SentRule, 'type' | 'id'>[]): KeptVersions {
  const ids = new Map<string, string[]>();
  for (const { type, id } of entries) {
    const known = ids.get(type);
    if (known === undefined) ids.set(type, [id]);
    else known.push(id);
  }
  const sql = `SELECT id, max(version) FROM rule_versions
    WHERE type = ? AND id IN (SELECT value FROM json_each(?)) GROUP BY id`;
  return new Map(
    [...ids].map(([type, ofType]) => [
      type,
      new Map(connection.allRaw<[string, number]>(sql, type, JSON.stringify(ofType))),
    ]),
  );
}

function findRule(connection: Connection, type: string, id: string): WrittenRule | undefined {
  return connection.get<WrittenRule>(`${WRITTEN_RULE} WHERE type = ? AND id = ?`, type, id);
}

function findByName(connection: Connection, type: string, name: string): WrittenRule | undefined {
  return connection.get<WrittenRule>(`${WRITTEN_RULE} WHERE type = ? AND name = ? ORDER BY id LIMIT 1`, type, name);
}

function nameTaken(connection: Connection, entry: SentRule, ownId: string): boolean {
  if (!entry.uniqueName) return false;
  const sql = 'SELECT 1 FROM rules WHERE type = ? AND name = ? AND id <> ? LIMIT 1';
  return connection.getRaw(sql, entry.type, entry.name, ownId) !== undefined;
}

function valueTaken(connection: Connection, entry: SentRule, ownId: string | null): boolean {
  if (entry.uniqueValue === null) return false;
  const sql = 'SELECT 1 FROM rules WHERE type = ? AND unique_value = ? AND id IS NOT ? LIMIT 1';
  return connection.getRaw(sql, entry.type, entry.uniqueValue, ownId) !== undefined;
}
