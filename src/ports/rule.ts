import type { JsonObject, StoredJson } from './json.ts';

/** A rule document as posted: `_id`, `name`, `enabled` and the members that its type adds. Unknown members are kept. */
export type RuleDocument = JsonObject;

/**
 * The party that vouches for a document as stored: the operator at the machine, an administrator of the service, or none yet.
 * Actions that a document makes the machine take are allowed only if a party vouches for it.
 */
export type ConfirmedBy = 'operator' | 'administrator' | null;

/** A stored rule document of any type; accounts, users and cron groups are rule documents too. */
export interface RuleRecord {
  /** Ident of the rule type, never an alias. */
  readonly type: string;
  /** 24 hex digits, unique within the type. The same as `_id.$oid` of the document. */
  readonly id: string;
  /** Value of the member that the type is keyed by: `name`, or `hostname` for types of host documents. */
  readonly name: string;
  readonly document: StoredJson<RuleDocument>;
  /** 1 for a new document, one more with each change. */
  readonly version: number;
  readonly changedAt: Date;
  readonly confirmedBy: ConfirmedBy;
}

/** One past state of a document. */
export interface RuleVersion {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** The version that this change made; for `removed` the one that it removed. */
  readonly version: number;
  readonly at: Date;
  /** Name of the user who made the change. */
  readonly actor: string;
  readonly change: 'created' | 'replaced' | 'removed';
  /** The document as this change left it; for `removed` as it was before. */
  readonly document: StoredJson<RuleDocument>;
}
