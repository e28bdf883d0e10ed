import type {
  Actor,
  ArchiveReason,
  ConfirmedBy,
  HostChange,
  LogLevel,
  PlaybookRun,
  PlaybookRunEnd,
  RuleVersion,
  TransferRecord,
} from '../../../ports/index.ts';
import { placeText, transferKey } from './transfer-key.ts';
import { TransferMembers } from './transfer-members.ts';

/**
 * What every store holds, in the neutral form of transfers, and back. Times are milliseconds on this side and ISO texts in
 * the records. JSON (labels, inventory, documents, changes) stays the text that it is: parsing it would move keys that
 * look like integers, and a copy must be equal to the letter.
 */

export interface RuleItem {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly uniqueValue: string | null;
  readonly version: number;
  readonly changedAt: number;
  readonly document: string;
  readonly confirmedBy: ConfirmedBy;
}

export function ruleRecord(rule: RuleItem): TransferRecord {
  const { type, id, name, uniqueValue, version, changedAt, document, confirmedBy } = rule;
  const value = { type, id, name, uniqueValue, version, changedAt: iso(changedAt), document, confirmedBy };
  return { key: transferKey(type, id), value };
}

export function ruleItem(record: TransferRecord): RuleItem {
  const members = new TransferMembers(record);
  return {
    type: members.text('type'),
    id: members.text('id'),
    name: members.text('name'),
    uniqueValue: members.nullableText('uniqueValue'),
    version: members.whole('version'),
    changedAt: members.moment('changedAt'),
    document: members.text('document'),
    confirmedBy: confirmedBy(members),
  };
}

/** What stood in a database before this was kept counts as confirmed, and so does it in backups of that time. */
function confirmedBy(members: TransferMembers): ConfirmedBy {
  if (!members.has('confirmedBy')) return 'operator';
  const who = members.nullableText('confirmedBy');
  return who === 'operator' || who === 'administrator' ? who : null;
}

export interface RuleVersionItem {
  readonly type: string;
  readonly id: string;
  /** 0 for the oldest version that is kept of the document, one more with each newer one. */
  readonly place: number;
  readonly name: string;
  readonly version: number;
  readonly at: number;
  readonly actor: string;
  readonly change: RuleVersion['change'];
  readonly document: string;
}

export function ruleVersionRecord(item: RuleVersionItem): TransferRecord {
  const { type, id, place, name, version, at, actor, change, document } = item;
  const value = { type, id, place, name, version, at: iso(at), actor, change, document };
  return { key: transferKey(type, id, placeText(place)), value };
}

export function ruleVersionItem(record: TransferRecord): RuleVersionItem {
  const members = new TransferMembers(record);
  return {
    type: members.text('type'),
    id: members.text('id'),
    place: members.whole('place'),
    name: members.text('name'),
    version: members.whole('version'),
    at: members.moment('at'),
    actor: members.text('actor'),
    change: members.text('change') as RuleVersion['change'],
    document: members.text('document'),
  };
}

/**
 * True when both describe one change. Places move up when older versions are pruned, so a store that finds another change
 * in the place of a record must not overwrite it.
 */
export function isSameVersion(
  left: Pick<RuleVersionItem, 'version' | 'at' | 'change'>,
  right: Pick<RuleVersionItem, 'version' | 'at' | 'change'>,
): boolean {
  return left.version === right.version && left.at === right.at && left.change === right.change;
}

export interface HostItem {
  readonly hostname: string;
  readonly accountId: string | null;
  readonly isObject: boolean;
  readonly objectType: string;
  readonly labels: string;
  readonly inventory: string;
  readonly members: string;
  readonly folder: string | null;
  readonly createdAt: number;
  readonly createdBy: Actor;
  readonly lastSeen: number | null;
  readonly lastUpdate: number | null;
  readonly archive: { readonly at: number; readonly by: ArchiveReason } | null;
  readonly runId: string | null;
}

export function hostRecord(host: HostItem): TransferRecord {
  const { hostname, accountId, isObject, objectType, labels, inventory, members, folder, archive, runId } = host;
  const value = {
    hostname,
    accountId,
    isObject,
    objectType,
    labels,
    inventory,
    members,
    folder,
    createdAt: iso(host.createdAt),
    createdBy: { kind: host.createdBy.kind, name: host.createdBy.name },
    lastSeen: nullableIso(host.lastSeen),
    lastUpdate: nullableIso(host.lastUpdate),
    archive: archive === null ? null : { at: iso(archive.at), by: archive.by },
    runId,
  };
  return { key: transferKey(hostname), value };
}

export function hostItem(record: TransferRecord): HostItem {
  const members = new TransferMembers(record);
  const archive = members.nullableObject('archive');
  return {
    hostname: members.text('hostname'),
    accountId: members.nullableText('accountId'),
    isObject: members.flag('isObject'),
    objectType: members.text('objectType'),
    labels: members.text('labels'),
    inventory: members.text('inventory'),
    members: members.text('members'),
    folder: members.nullableText('folder'),
    createdAt: members.moment('createdAt'),
    createdBy: actorOf(members.object('createdBy')),
    lastSeen: members.nullableMoment('lastSeen'),
    lastUpdate: members.nullableMoment('lastUpdate'),
    archive: archive === null ? null : { at: archive.moment('at'), by: archive.text('by') as ArchiveReason },
    runId: members.nullableText('runId'),
  };
}

export interface ContributionItem {
  readonly hostname: string;
  readonly accountId: string;
  readonly precedence: number;
  readonly owner: boolean;
  readonly labels: string;
  readonly at: number;
  readonly runId: string | null;
}

export function contributionRecord(item: ContributionItem): TransferRecord {
  const { hostname, accountId, precedence, owner, labels, at, runId } = item;
  const value = { hostname, accountId, precedence, owner, labels, at: iso(at), runId };
  return { key: transferKey(hostname, accountId), value };
}

export function contributionItem(record: TransferRecord): ContributionItem {
  const members = new TransferMembers(record);
  return {
    hostname: members.text('hostname'),
    accountId: members.text('accountId'),
    precedence: members.whole('precedence'),
    owner: members.flag('owner'),
    labels: members.text('labels'),
    at: members.moment('at'),
    runId: members.nullableText('runId'),
  };
}

export interface RelationItem {
  readonly hostname: string;
  readonly type: string;
  readonly target: string;
  readonly source: string;
}

export function relationRecord({ hostname, type, target, source }: RelationItem): TransferRecord {
  return { key: transferKey(hostname, type, target), value: { hostname, type, target, source } };
}

export function relationItem(record: TransferRecord): RelationItem {
  const members = new TransferMembers(record);
  return {
    hostname: members.text('hostname'),
    type: members.text('type'),
    target: members.text('target'),
    source: members.text('source'),
  };
}

export interface HostChangeItem {
  readonly hostname: string;
  readonly at: number;
  /** 0 for the first change of that host at that moment; nearly always 0. */
  readonly place: number;
  readonly actor: Actor;
  readonly kind: HostChange['kind'];
  /** JSON of the list. */
  readonly changes: string;
}

export function hostChangeRecord(item: HostChangeItem): TransferRecord {
  const { hostname, at, place, actor, kind, changes } = item;
  const value = { hostname, at: iso(at), place, actor: { kind: actor.kind, name: actor.name }, kind, changes };
  return { key: transferKey(hostname, iso(at), placeText(place)), value };
}

export function hostChangeItem(record: TransferRecord): HostChangeItem {
  const members = new TransferMembers(record);
  return {
    hostname: members.text('hostname'),
    at: members.moment('at'),
    place: members.whole('place'),
    actor: actorOf(members.object('actor')),
    kind: members.text('kind') as HostChange['kind'],
    changes: members.text('changes'),
  };
}

export interface LogItem {
  readonly id: string;
  readonly at: number;
  readonly message: string;
  readonly source: string;
  readonly details: readonly { readonly level: LogLevel; readonly message: string }[];
  readonly hasError: boolean;
}

export function logRecord(item: LogItem): TransferRecord {
  const { id, at, message, source, hasError } = item;
  const details = item.details.map((detail) => ({ level: detail.level, message: detail.message }));
  return { key: transferKey(id), value: { id, at: iso(at), message, source, details, hasError } };
}

export function logItem(record: TransferRecord): LogItem {
  const members = new TransferMembers(record);
  return {
    id: members.text('id'),
    at: members.moment('at'),
    message: members.text('message'),
    source: members.text('source'),
    details: members
      .objects('details')
      .map((detail) => ({ level: detail.text('level') as LogLevel, message: detail.text('message') })),
    hasError: members.flag('hasError'),
  };
}

export interface AuditItem {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly entrance: string;
  readonly address: string;
  readonly operation: string;
  readonly subject: string;
  readonly outcome: string;
  readonly requestId: string;
  readonly details: string;
  /** Place and mark in the chain; `null` outside of it. */
  readonly seq: number | null;
  readonly mark: string | null;
}

/** Details and the place in the chain are there where an entry has them: older copies have neither and stay what they are. */
export function auditRecord(item: AuditItem): TransferRecord {
  const { id, at, actor, entrance, address, operation, subject, outcome, requestId, details, seq, mark } = item;
  const value = { id, at: iso(at), actor, entrance, address, operation, subject, outcome, requestId };
  const described = details === '' ? value : { ...value, details };
  return { key: transferKey(id), value: seq === null ? described : { ...described, seq, mark } };
}

export function auditItem(record: TransferRecord): AuditItem {
  const members = new TransferMembers(record);
  const isLinked = Object.hasOwn(record.value, 'seq');
  return {
    id: members.text('id'),
    at: members.moment('at'),
    actor: members.text('actor'),
    entrance: members.text('entrance'),
    address: members.text('address'),
    operation: members.text('operation'),
    subject: members.text('subject'),
    outcome: members.text('outcome'),
    requestId: members.text('requestId'),
    details: Object.hasOwn(record.value, 'details') ? members.text('details') : '',
    seq: isLinked ? members.whole('seq') : null,
    mark: isLinked ? members.text('mark') : null,
  };
}

/** The only key of the part that holds the state of the audit log's chain. */
const CHAIN = 'chain';

export function auditChainRecord(state: string): TransferRecord {
  return { key: transferKey(CHAIN), value: { state } };
}

export function auditChainItem(record: TransferRecord): string {
  return new TransferMembers(record).text('state');
}

export interface TokenUseItem {
  readonly tokenId: string;
  readonly at: number;
}

export function tokenUseRecord({ tokenId, at }: TokenUseItem): TransferRecord {
  return { key: transferKey(tokenId), value: { tokenId, at: iso(at) } };
}

export function tokenUseItem(record: TransferRecord): TokenUseItem {
  const members = new TransferMembers(record);
  return { tokenId: members.text('tokenId'), at: members.moment('at') };
}

/** Without the lease: after a transfer nobody holds anything. */
export interface CronStateItem {
  readonly groupId: string;
  readonly lastStart: number;
  readonly lastEnd: number | null;
  readonly message: string;
  readonly hasError: boolean;
  readonly requested: boolean;
  readonly attempts: number;
  readonly holder: string | null;
}

export function cronStateRecord(item: CronStateItem): TransferRecord {
  const { groupId, lastStart, lastEnd, message, hasError, requested, attempts, holder } = item;
  const times = { lastStart: iso(lastStart), lastEnd: nullableIso(lastEnd) };
  return { key: transferKey(groupId), value: { groupId, ...times, message, hasError, requested, attempts, holder } };
}

export function cronStateItem(record: TransferRecord): CronStateItem {
  const members = new TransferMembers(record);
  return {
    groupId: members.text('groupId'),
    lastStart: members.moment('lastStart'),
    lastEnd: members.nullableMoment('lastEnd'),
    message: members.text('message'),
    hasError: members.flag('hasError'),
    requested: members.flag('requested'),
    attempts: members.whole('attempts'),
    holder: members.nullableText('holder'),
  };
}

/** Without the lease: what ran when it was copied is lost in the copy. */
export interface PlaybookRunItem {
  readonly id: string;
  readonly playbook: string;
  readonly provider: string;
  readonly hostname: string | null;
  readonly checkMode: boolean;
  readonly source: PlaybookRun['source'];
  readonly startedBy: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** `running` until somebody says how it ended. */
  readonly status: 'running' | PlaybookRunEnd['status'];
  readonly exitCode: number | null;
  readonly message: string;
  readonly output: string;
}

export function playbookRunRecord(item: PlaybookRunItem): TransferRecord {
  const { id, playbook, provider, hostname, checkMode, source, startedBy, status, exitCode, message, output } = item;
  const times = { startedAt: iso(item.startedAt), endedAt: nullableIso(item.endedAt) };
  const what = { id, playbook, provider, hostname, checkMode, source, startedBy };
  return { key: transferKey(id), value: { ...what, ...times, status, exitCode, message, output } };
}

export function playbookRunItem(record: TransferRecord): PlaybookRunItem {
  const members = new TransferMembers(record);
  return {
    id: members.text('id'),
    playbook: members.text('playbook'),
    provider: members.text('provider'),
    hostname: members.nullableText('hostname'),
    checkMode: members.flag('checkMode'),
    source: members.text('source') as PlaybookRun['source'],
    startedBy: members.text('startedBy'),
    startedAt: members.moment('startedAt'),
    endedAt: members.nullableMoment('endedAt'),
    status: members.text('status') as PlaybookRunItem['status'],
    exitCode: members.nullableWhole('exitCode'),
    message: members.text('message'),
    output: members.text('output'),
  };
}

export interface PlaybookMatchItem {
  readonly hostname: string;
  readonly ruleId: string;
  readonly playbook: string;
  readonly since: number;
}

export function playbookMatchRecord({ hostname, ruleId, playbook, since }: PlaybookMatchItem): TransferRecord {
  return {
    key: transferKey(hostname, ruleId, playbook),
    value: { hostname, ruleId, playbook, since: iso(since) },
  };
}

export function playbookMatchItem(record: TransferRecord): PlaybookMatchItem {
  const members = new TransferMembers(record);
  return {
    hostname: members.text('hostname'),
    ruleId: members.text('ruleId'),
    playbook: members.text('playbook'),
    since: members.moment('since'),
  };
}

function actorOf(members: TransferMembers): Actor {
  return { kind: members.text('kind') as Actor['kind'], name: members.text('name') };
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function nullableIso(milliseconds: number | null): string | null {
  return milliseconds === null ? null : iso(milliseconds);
}
