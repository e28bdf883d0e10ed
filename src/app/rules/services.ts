import type {
  AccountScope,
  Actor,
  ErrorDetail,
  EvaluatedHost,
  GroupRules,
  HostRecord,
  JsonObject,
  JsonValue,
  RuleDocument,
  RuleRecord,
  Wording,
} from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import { operationsOf } from '../kernel/operation.ts';
import type { KernelServices } from '../kernel/services.ts';
import type { EvaluatorCache } from './evaluators.ts';

/** The data that rules need about an account, including the documents it is read from. */
interface RuleAccount {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The document that it is read from, and that of the parent which it inherits from. */
  readonly record: RuleRecord;
  readonly parentRecord: RuleRecord | undefined;
}

export interface RuleAccounts {
  /** By name; those in scope only. */
  list(scope: AccountScope): Promise<readonly RuleAccount[]>;
  byName(name: string): Promise<RuleAccount | undefined>;
  /** Ids of accounts given by name or id; those that do not exist are left out. */
  scopeOf(references: readonly string[]): Promise<readonly string[]>;
  /** Returns the names of accounts given by name or id; a reference to no existing account stays as given. */
  namesOf(references: readonly string[]): Promise<readonly string[]>;
}

/** A document of a user that was stored. */
export interface UserChange {
  readonly id: string;
  readonly name: string;
  readonly before: RuleDocument | undefined;
  readonly after: RuleDocument;
}

/** Checks and actions of the users module when documents of users are checked and stored, whatever their source. */
export interface UserDocuments {
  /** Returns what is wrong with a password in clear, to follow the words "the password". */
  passwordFault(password: string, name: string, caller: Pick<Caller, 'entrance'>): Wording | undefined;
  stored(changes: readonly UserChange[], caller: Caller): Promise<void>;
}

/** Action of the accounts module when one of its documents is removed. */
interface AccountRemoval {
  /** Throws `AppError('conflict')` for an account that something still uses. */
  remove(name: string, caller: Caller): Promise<void>;
}

/** Documents of hosts: they come and go with those of rules, and are stored as hosts. */
export interface HostDocuments {
  /**
   * Returns a function that gives imported documents the form that hosts have here; `parts` are all documents of hosts in the
   * import.
   */
  ownForm(
    caller: Caller,
    parts: readonly { readonly documents: readonly JsonValue[] }[],
  ): Promise<(document: RuleDocument) => RuleDocument>;
  /** Returns the faults for which a write of the same host over the interface would be refused. */
  faults(document: RuleDocument): readonly ErrorDetail[];
  /** Throws `forbidden` when one of them is a host beyond the reach of the caller, or would become one. */
  refuseForeign(caller: Caller, documents: readonly { readonly document: RuleDocument }[]): Promise<void>;
  store(
    caller: Caller,
    documents: readonly { readonly document: RuleDocument }[],
    options: { readonly override: boolean; readonly dryRun?: boolean; readonly actor?: Actor },
  ): Promise<{
    readonly imported: number;
    readonly duplicate: number;
    /** Hosts that were moved out of the reach of the caller meanwhile, and are left alone. */
    readonly refused: readonly (ErrorDetail & { readonly position: number })[];
  }>;
  /** JSON texts of all hosts that the caller reaches, in batches. */
  texts(caller: Caller): AsyncGenerator<readonly string[]>;
}

/** An object that a target wants to be there for a host. */
export interface DesiredTargetObject {
  readonly kind: string;
  readonly key: string;
  /** As people may see them. */
  readonly fields: JsonObject;
  readonly rule: { readonly id: string; readonly type: string; readonly name: string } | null;
}

/** A target as it is explained. */
export interface ExplainedTarget {
  /** The name of its account. */
  readonly account: string;
  /** Its type, whose own rules run. */
  readonly type: string;
  /** Whose rules make its hosts. */
  readonly project: string | null;
  /** Groups that hosts are in, in addition to those that their variables name; absent: none. */
  readonly groupRules?: GroupRules;
  /** Which records it takes; absent: hosts. */
  readonly takes?: 'hosts' | 'objects' | 'all';
  /**
   * Returns what should exist for a host; absent if all hosts are written at once. Throws `AppError` when the target cannot tell.
   */
  wanted?(record: HostRecord, evaluated: EvaluatedHost): readonly DesiredTargetObject[];
}

/** The response of a target, and the first hosts that it would get. */
export interface TargetTest {
  readonly message: string;
  readonly hosts: readonly {
    readonly hostname: string;
    readonly variables: JsonObject;
    readonly expressions?: JsonObject;
    readonly groups: readonly string[];
  }[];
}

/** Access to the systems that hosts are exported to, as far as rules need it. */
interface RuleTargets {
  /** Names of the accounts with a target that the caller reaches, in their order. */
  accounts(caller: Caller): Promise<readonly string[]>;
  /** Throws `AppError` for an account that the caller does not reach, or that has no target that can be opened. */
  explained(account: string, caller: Caller): Promise<ExplainedTarget>;
  /** Asks the target of the account of that name. Changes nothing. Throws `AppError`. */
  test(account: string, caller: Caller, signal: AbortSignal): Promise<TargetTest>;
}

/** The reason for a host's membership in a group of an inventory: a rule, or variables of the host if there is no rule. */
export interface GroupMembership {
  readonly group: string;
  /** The group of the host that this group is above; `null`: the host itself is in it. */
  readonly above: string | null;
  readonly rule: { readonly type: string; readonly id: string; readonly name: string } | null;
}

/** A host whose groups are to be explained. */
export interface HostToExplain {
  readonly hostname: string;
  /** Groups that its variables name. */
  readonly groups: readonly string[];
  /** `undefined` for a row of a pasted list. */
  readonly record: HostRecord | undefined;
}

/** Access to the groups of inventories, as far as rules need it. */
interface InventoryGroups {
  /** Those that a host is in, the ones above others behind them, in the inventory of that name. */
  memberships(provider: string, host: HostToExplain, request: GroupRequest): Promise<readonly GroupMembership[]>;
}

interface GroupRequest {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** The services for operations on rules and other documents. */
export interface RuleServices extends KernelServices {
  readonly accounts: RuleAccounts;
  readonly evaluators: EvaluatorCache;
  readonly targets: RuleTargets;
  readonly inventoryGroups: InventoryGroups;
  hostDocuments(): Promise<HostDocuments>;
  readonly userDocuments: UserDocuments;
  readonly accountRemoval: AccountRemoval;
}

export const { defineOperation, defineStreamOperation } = operationsOf<RuleServices>();
