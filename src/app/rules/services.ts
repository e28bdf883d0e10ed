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

/** What rules need to know of an account: which documents it is read from, too. */
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
  /** Names of accounts given by name or id; what is no account keeps what it was given as. */
  namesOf(references: readonly string[]): Promise<readonly string[]>;
}

/** A document of a user that was stored. */
export interface UserChange {
  readonly id: string;
  readonly name: string;
  readonly before: RuleDocument | undefined;
  readonly after: RuleDocument;
}

/** What users add when their documents are checked and stored, in whichever way these came. */
export interface UserDocuments {
  /** What is wrong with a password in clear; it follows the words "the password". */
  passwordFault(password: string, name: string, caller: Pick<Caller, 'entrance'>): Wording | undefined;
  stored(changes: readonly UserChange[], caller: Caller): Promise<void>;
}

/** What accounts add when one of their documents goes. */
interface AccountRemoval {
  /** Throws `AppError('conflict')` for an account that something still uses. */
  remove(name: string, caller: Caller): Promise<void>;
}

/** Documents of hosts: they come and go with those of rules, and are stored as hosts. */
export interface HostDocuments {
  /** What gives documents of an import the form that hosts have here; `parts` are all documents of hosts in it. */
  ownForm(
    caller: Caller,
    parts: readonly { readonly documents: readonly JsonValue[] }[],
  ): Promise<(document: RuleDocument) => RuleDocument>;
  /** What a write of the same host over the interface would refuse. */
  faults(document: RuleDocument): readonly ErrorDetail[];
  /** Throws `forbidden` when one of them is a host beyond the reach of the caller, or would become one. */
  refuseForeign(caller: Caller, documents: readonly { readonly document: RuleDocument }[]): Promise<void>;
  store(
    caller: Caller,
    documents: readonly { readonly document: RuleDocument }[],
    options: { readonly override: boolean; readonly dryRun?: boolean; readonly actor?: Actor },
  ): Promise<{ readonly imported: number; readonly duplicate: number }>;
  /** JSON texts of all hosts that the caller reaches, in batches. */
  texts(caller: Caller): AsyncGenerator<readonly string[]>;
}

/** An object that a target wants to be there for a host. */
export interface TargetWish {
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
  /** Groups that hosts are in beside those that their variables name; absent: none. */
  readonly groupRules?: GroupRules;
  /** Which records it takes; absent: hosts. */
  readonly takes?: 'hosts' | 'objects' | 'all';
  /** What there should be of a host; absent where all hosts are written at once. Throws `AppError` when the target cannot say. */
  wanted?(record: HostRecord, evaluated: EvaluatedHost): readonly TargetWish[];
}

/** What a target says, and the first hosts that it would get. */
export interface TargetTest {
  readonly message: string;
  readonly hosts: readonly {
    readonly hostname: string;
    readonly variables: JsonObject;
    readonly expressions?: JsonObject;
    readonly groups: readonly string[];
  }[];
}

/** What others need to know of the systems that hosts are exported to. */
interface RuleTargets {
  /** Names of the accounts with a target that the caller reaches, in their order. */
  accounts(caller: Caller): Promise<readonly string[]>;
  /** Throws `AppError` for an account that the caller does not reach, or that has no target that can be opened. */
  explained(account: string, caller: Caller): Promise<ExplainedTarget>;
  /** Asks the target of the account of that name. Changes nothing. Throws `AppError`. */
  test(account: string, caller: Caller, signal: AbortSignal): Promise<TargetTest>;
}

/** Why a host is in a group of an inventory: a rule said so, or variables of the host where there is none. */
export interface GroupMembership {
  readonly group: string;
  /** The group of the host that it stands above; `null`: the host itself is in it. */
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

/** What rules need to know of the groups of inventories. */
interface InventoryGroups {
  /** Those that a host is in, the ones above others behind them, in the inventory of that name. */
  memberships(provider: string, host: HostToExplain, request: GroupRequest): Promise<readonly GroupMembership[]>;
}

interface GroupRequest {
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** What operations on rules and other documents work with. */
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
