import type { JsonObject, JsonValue, StoredJson } from './json.ts';

export type LabelScalar = string | number | boolean | null;
/** A label's value: a scalar or a list of scalars, never an object. */
export type LabelValue = LabelScalar | readonly LabelScalar[];
/** A host's flat attributes. Keys are any non-empty text that does not start with `$`; dots are ordinary characters. */
export type Labels = Readonly<Record<string, LabelValue>>;
/** Nested sections, one top-level key a source system. */
export type Inventory = Readonly<Record<string, JsonObject>>;

/**
 * Why a host is in the archive. A host that an `operator` archived stays there until an operator restores it; the others
 * come back by the next label write of their own account.
 */
export type ArchiveReason = 'api' | 'import' | 'stale' | 'operator';

export interface HostArchive {
  readonly at: Date;
  readonly by: ArchiveReason;
}

/** A host or a non-host object, as stored. */
export interface HostRecord {
  readonly hostname: string;
  /** Id of the account that owns the record; `null` when a restored document named none that exists. */
  readonly accountId: string | null;
  /** True for records of accounts that hold objects; they are in no listing of hosts. */
  readonly isObject: boolean;
  /** Kind of the record (`host`, `network`, `contact`…). */
  readonly objectType: string;
  /** The labels that consumers see: the owner's labels, overlaid with the contributions of other accounts by precedence. */
  readonly labels: StoredJson<Labels>;
  readonly inventory: StoredJson<Inventory>;
  /** Members of the record's document that the core does not interpret, such as `cmdb_templates`. */
  readonly members: StoredJson<JsonObject>;
  /** The monitoring folder whose pool seat the host holds. */
  readonly folder: string | null;
  readonly createdAt: Date;
  /** Last time an import or API write saw the host; `null` when none ever did. */
  readonly lastSeen: Date | null;
  /** Last time one of them changed it; `null` when none ever did. */
  readonly lastUpdate: Date | null;
  /** `null` while the host is active. */
  readonly archive: HostArchive | null;
}

/** The accounts that a caller may reach, by id; `null` means every one. An empty list reaches none. */
export type AccountScope = readonly string[] | null;

/**
 * The hosts that a caller may reach; `null` means every host. With limits to both accounts and templates, both must hold. A limit
 * of `null` means no limit, and an empty one reaches no host.
 */
export type HostScope = HostLimits | null;

export interface HostLimits {
  readonly accounts: AccountScope;
  /** Names and ids of templates: the record itself names one of them in its member `cmdb_templates`. */
  readonly templates: readonly string[] | null;
}

/** Hosts only, objects only, or both. */
export type HostKind = 'hosts' | 'objects' | 'all';

export interface HostFilter {
  readonly scope: HostScope;
  readonly kind: HostKind;
  readonly state: 'active' | 'archived' | 'any';
}

/** One edge, stored on its source host. An edge is identified by source host, type and target. */
export interface RelationRecord {
  readonly hostname: string;
  readonly type: string;
  readonly target: string;
  /** Provenance: `manual` or an importer's own tag. */
  readonly source: string;
}

/** The originator of a change, as shown in history and audit. */
export interface Actor {
  readonly kind: 'user' | 'account' | 'rule' | 'system';
  readonly name: string;
}

/** One changed member: absent `before` means added, absent `after` means removed. */
export interface ValueChange {
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}
