import {
  type Actor,
  AppError,
  type ArchiveReason,
  type ConfirmedBy,
  type HostChange,
  type JsonValue,
  type LogLevel,
  type MarkKind,
  type PlaybookRun,
  type PlaybookRunChoices,
  type PlaybookRunEnd,
  type RuleVersion,
  type TransferPart,
  type TransferRecord,
  type WordingParts,
} from '../../../ports/index.ts';
import { placeText, transferKey } from './transfer-key.ts';
import {
  absentAs,
  type Fields,
  flag,
  hasMember,
  json,
  type Kind,
  list,
  moment,
  nullable,
  object,
  optional,
  readFields,
  text,
  type Values,
  whole,
  word,
  writeFields,
} from './transfer-kinds.ts';

/** A part of a storage: its fields, and those by which its records are known, or the one key that it has. */
interface Part<Named extends Fields> {
  readonly key: string | readonly (keyof Named & string)[];
  readonly fields: Named;
}

function part<const Named extends Fields>(key: Part<Named>['key'], fields: Named): Part<Named> {
  return { key, fields };
}

const actor = object({ kind: word<Actor['kind']>(), name: text });

const incompleteRuns = object({
  since: text,
  runs: whole,
  lastComplete: nullable(text),
  part: optional(text),
  message: optional(text),
});

const undoneImport = object({ id: text, at: text, lastComplete: nullable(text) });

const bookmark = object({ text, wholeAt: text, account: text, part: optional(text) });

/** Documents stored before this field existed count as confirmed, and so do those in backups of that time. */
const confirmedBy: Kind<ConfirmedBy> = {
  form: 'text',
  absent: 'operator',
  write: (who) => who,
  read(members, name, refuse) {
    if (!hasMember(members, name)) return 'operator';
    const who = nullable(text).read(members, name, refuse);
    return who === 'operator' || who === 'administrator' ? who : null;
  },
};

/** Place and mark in the audit log's chain: both are there or, outside of it, neither. */
function inChain<Value>(kind: Kind<Value>): Kind<Value | null> {
  return {
    ...absentAs(null, nullable(kind)),
    read: (members, name, refuse) => (hasMember(members, 'seq') ? kind.read(members, name, refuse) : null),
  };
}

/**
 * The content of every store, in the order in which backups have it. Times are milliseconds here and ISO texts in records. JSON
 * (labels, inventory, documents, changes) stays the original text: parsing it would move keys that look like integers, and a copy
 * must be byte-identical.
 */
const PARTS = {
  rules: part(['type', 'id'], {
    type: text,
    id: text,
    name: text,
    uniqueValue: nullable(text),
    version: whole,
    changedAt: moment,
    document: text,
    confirmedBy,
  }),

  rule_versions: part(['type', 'id', 'place'], {
    type: text,
    id: text,
    /** 0 for the oldest version that is kept of the document, one more with each newer one. */
    place: whole,
    name: text,
    version: whole,
    at: moment,
    actor: text,
    change: word<RuleVersion['change']>(),
    document: text,
  }),

  hosts: part(['hostname'], {
    hostname: text,
    accountId: nullable(text),
    isObject: flag,
    objectType: text,
    labels: text,
    inventory: text,
    members: text,
    folder: nullable(text),
    createdAt: moment,
    createdBy: actor,
    lastSeen: nullable(moment),
    lastUpdate: nullable(moment),
    archive: nullable(object({ at: moment, by: word<ArchiveReason>() })),
    runId: nullable(text),
  }),

  contributions: part(['hostname', 'accountId'], {
    hostname: text,
    accountId: text,
    precedence: whole,
    owner: flag,
    labels: text,
    at: moment,
    runId: nullable(text),
  }),

  relations: part(['hostname', 'type', 'target', 'source'], {
    hostname: text,
    type: text,
    target: text,
    source: text,
    /** When the source named it last; absent for one that was added by hand. */
    namedAt: absentAs(null, nullable(moment)),
  }),

  account_marks: part(['hostname', 'kind', 'value', 'accountId'], {
    hostname: text,
    kind: word<MarkKind>(),
    value: text,
    accountId: text,
    at: moment,
  }),

  host_changes: part(['hostname', 'at', 'place'], {
    hostname: text,
    at: moment,
    /** 0 for the first change of that host at that moment; nearly always 0. */
    place: whole,
    actor,
    kind: word<HostChange['kind']>(),
    /** JSON of the list. */
    changes: text,
  }),

  host_comments: part(['hostname', 'id'], { hostname: text, id: text, at: moment, author: text, text }),

  logs: part(['id'], {
    id: text,
    at: moment,
    message: text,
    wording: optional(json<WordingParts>()),
    source: text,
    details: list({
      level: word<LogLevel>(),
      message: text,
      wording: optional(json<WordingParts>()),
      incomplete: optional(incompleteRuns),
      bookmark: optional(bookmark),
      undid: optional(undoneImport),
      plan: optional(text),
      began: optional(text),
      counts: optional(json<Readonly<Record<string, number>>>()),
      milliseconds: optional(whole),
    }),
    hasError: flag,
  }),

  /** Copies of before details and the chain have neither, and stay what they are. */
  audit: part(['id'], {
    id: text,
    at: moment,
    actor: text,
    entrance: text,
    address: text,
    operation: text,
    subject: text,
    outcome: text,
    requestId: text,
    details: absentAs('', text),
    seq: inChain(whole),
    mark: inChain(text),
  }),

  audit_chain: part('chain', { state: text }),

  token_uses: part(['tokenId'], { tokenId: text, at: moment }),

  /** Without the lease: after a transfer, nothing is held. */
  cron_states: part(['groupId'], {
    groupId: text,
    lastStart: moment,
    lastEnd: nullable(moment),
    message: text,
    hasError: flag,
    requested: flag,
    attempts: whole,
    holder: nullable(text),
  }),

  /** Without the lease: what ran when it was copied is lost in the copy. */
  playbook_runs: part(['id'], {
    id: text,
    playbook: text,
    provider: text,
    hostname: nullable(text),
    checkMode: flag,
    source: word<PlaybookRun['source']>(),
    startedBy: text,
    startedAt: moment,
    endedAt: nullable(moment),
    /** `running` until an end is stored. */
    status: word<'running' | PlaybookRunEnd['status']>(),
    exitCode: nullable(whole),
    message: text,
    output: text,
    choices: optional(json<PlaybookRunChoices>()),
  }),

  playbook_matches: part(['hostname', 'ruleId', 'playbook'], {
    hostname: text,
    ruleId: text,
    playbook: text,
    since: moment,
  }),

  ownership: part(['accountId', 'kind', 'key'], {
    accountId: text,
    kind: text,
    key: text,
    remoteId: nullable(text),
    hostname: text,
    digest: text,
    secrets: text,
    writtenAt: moment,
    /** JSON of the list. */
    pending: nullable(text),
  }),

  host_counts: part(['day'], {
    day: text,
    at: moment,
    accounts: list({ accountId: nullable(text), hosts: whole, objects: whole, archived: whole }),
  }),
};

/** One stored thing of a part. */
export type TransferItem<Name extends TransferPart> = Values<(typeof PARTS)[Name]['fields']>;

export const TRANSFER_TABLE: { readonly [Name in TransferPart]: Part<(typeof PARTS)[Name]['fields']> } = PARTS;

/** The fields of the key; none where a part has one record. */
export function keyFields(name: TransferPart): readonly string[] {
  const { key } = TRANSFER_TABLE[name];
  return typeof key === 'string' ? [] : key;
}

export function recordOf<Name extends TransferPart>(name: Name, item: TransferItem<Name>): TransferRecord {
  const { key, fields } = TRANSFER_TABLE[name];
  const value = writeFields(fields, item);
  return { key: typeof key === 'string' ? key : transferKey(...key.map((field) => keyText(value[field]))), value };
}

function keyText(member: JsonValue | undefined): string {
  return typeof member === 'number' ? placeText(member) : String(member);
}

/** One that does not fit is refused with its key. */
export function itemOf<Name extends TransferPart>(name: Name, { key, value }: TransferRecord): TransferItem<Name> {
  return readFields(TRANSFER_TABLE[name].fields, value, (member, wanted) => {
    const shown = key.replaceAll('\u0000', ' ');
    throw new AppError('invalid_input', `the record ${shown} cannot be stored: ${member} must be ${wanted}`);
  });
}

type Version = TransferItem<'rule_versions'>;

/**
 * Places of versions move up when older ones are pruned, so a store that finds another change in the place of a record must
 * not overwrite it.
 */
export function refuseOtherVersion(present: Pick<Version, 'version' | 'at' | 'change'>, item: Version): void {
  const { version, at, change, type, name } = item;
  if (present.version === version && present.at === at && present.change === change) return;
  throw new AppError('conflict', `another version of ${type} ${name} is stored in place of this one`);
}
