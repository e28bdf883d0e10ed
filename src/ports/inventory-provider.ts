import type { HostFilter, HostRecord, HostScope } from './host.ts';
import type { Http } from './http-client.ts';
import type { JsonObject, JsonValue, StoredJson } from './json.ts';
import type { Logger } from './logger.ts';
import type { TargetHost } from './target.ts';

export interface InventoryRequest {
  /** The hosts that the caller may reach; a provider of stored hosts must pass it on when it reads them. */
  readonly scope: HostScope;
  readonly signal: AbortSignal;
  /** True for a rendering with a revision, which may read stored hosts from a replica of the database. Absent for whatever decides. */
  readonly mayReadReplica?: boolean;
}

/** One host of an inventory that is served as a stream. */
export interface InventoryHost {
  readonly hostname: string;
  readonly variables: StoredJson<JsonObject>;
  /** Variables that the consumer shall evaluate: served as they are, laid over `variables`. */
  readonly expressions?: JsonObject;
  /**
   * Names of variables that an administrator set, and no data: of those that begin with `ansible_`, by which Ansible connects and
   * runs programs, only these are served, and of others such as say where the host is (`ansible_host`, `ansible_port`,
   * `ansible_user`, `ansible_network_os`) with values that are such things.
   */
  readonly vouched?: readonly string[];
  /** Groups the host is in, in addition to `all`. */
  readonly groups: readonly string[];
}

/** A rule that says something of an inventory. */
export interface InventoryRule {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}

/**
 * A group of an inventory, in addition to what its hosts define for it. Several groups of one name are merged; later variables
 * win.
 */
export interface InventoryGroup {
  /** A name; with `*` at its end all groups of the inventory that begin so. `all` is the group of all hosts. */
  readonly name: string;
  /** Groups that it is a child of. */
  readonly parents: readonly string[];
  readonly children: readonly string[];
  readonly variables: JsonObject;
  /** Variables that the consumer shall evaluate: served as they are, laid over `variables`. */
  readonly expressions?: JsonObject;
  /** As of hosts. */
  readonly vouched?: readonly string[];
  /** Which rule says this of the group. */
  readonly rule?: InventoryRule;
}

/** The script-inventory document. Further members are groups: `{hosts: […]}`. */
export interface InventoryDocument {
  readonly _meta: { readonly hostvars: Readonly<Record<string, JsonObject>> };
  readonly all: { readonly hosts: readonly string[]; readonly children?: readonly string[] };
  readonly [group: string]: unknown;
}

/**
 * A named catalogue of hosts and their variables. Command line and HTTP render it by one function, which also makes
 * template text from data harmless, so a provider returns plain values.
 */
export interface InventoryProvider {
  /** Everything: a whole document, or batches of hosts in order of hostname when there may be many. */
  full(
    request: InventoryRequest,
  ): InventoryDocument | Promise<InventoryDocument> | AsyncIterable<readonly InventoryHost[]>;

  /** Groups with parents, variables, or without hosts. Groups that only have hosts need not be among them. */
  groups?(request: InventoryRequest): Promise<readonly InventoryGroup[]>;

  /**
   * Reads which groups stored hosts are in, other than those that their variables name, with the rule responsible: for exports
   * and explanations. Rules are read at once, and the result can be asked about any number of hosts. `undefined` if there are no
   * such groups.
   */
  groupRules?(): Promise<GroupRules | undefined>;

  /** The variables of one host, the same as in `full`, or `false` when it has none of that name. */
  host(
    hostname: string,
    request: InventoryRequest,
  ): Promise<JsonObject | InventoryHost | false> | JsonObject | InventoryHost | false;

  /**
   * A text that changes whenever the answer of `full` or `host` would; `undefined` if that cannot be determined cheaply: the
   * answer is hashed then. Same text, same answer, for the same scope.
   */
  revision?(request: InventoryRequest): Promise<string | undefined>;

  /**
   * For inventories of stored hosts in which each host depends on itself alone: a way to request the changed hosts, so that the
   * others need not be computed again. `undefined` if that does not currently hold.
   */
  parts?(request: InventoryRequest): Promise<InventoryParts | undefined>;

  /**
   * The documents behind this inventory whose connection variables are not served because they wait for an administrator:
   * playbooks do not run with it until they are confirmed.
   */
  waiting?(): Promise<readonly WaitingRule[]>;
}

/** Parts of an inventory, by what it was made from at one moment. */
export interface InventoryParts {
  /** Text that changes whenever a host may be another one in the inventory though nothing of it changed in the store. */
  readonly revision: string;
  /** Those of the named hosts that are in the inventory, as in `full`, in whatever order. */
  hosts(hostnames: readonly string[]): Promise<readonly InventoryHost[]>;
}

/** Groups of one stored host, by the rule that puts it there. */
export type GroupRules = (host: HostRecord) => Readonly<Record<string, InventoryRule>>;

/** The result of the rules for one host. */
export interface EvaluatedHost {
  readonly hostname: string;
  /** False when a filter rule took the host out of the inventory. */
  readonly included: boolean;
  /**
   * True if the host is left out because a filter rule failed or a rule met a limit on it, so that it is unknown whether the host
   * belongs in.
   */
  readonly undecided?: boolean;
  readonly variables: StoredJson<JsonObject>;
  /** Variables that the consumer shall evaluate: served as they are, laid over `variables`. */
  readonly expressions?: JsonObject;
  /** See `InventoryHost`: what confirmed rules set that name it themselves. */
  readonly vouched?: readonly string[];
  readonly groups: readonly string[];
  /** Decisions of the rules of a target, by the ident of their type; absent if there are none. */
  readonly outcomes?: TargetHost['outcomes'];
}

/** An enabled document that would make a machine act, and that no administrator wrote or confirmed. */
export interface WaitingRule {
  readonly type: string;
  readonly name: string;
}

export type EvaluationUse = 'inventory' | 'export';

/** The compiled rules of one project, fixed at the revisions it was made from. */
export interface HostEvaluator {
  /** Identifies rules, templates and accounts it was compiled from. */
  readonly revision: string;
  /** True when results depend on more than the host and the revision (a template that prints the time). */
  readonly volatile: boolean;
  /** Its rules that set connection variables or expressions, and wait: nothing of that reaches a consumer. */
  readonly waiting: readonly WaitingRule[];
  /** `use` (default `inventory`) says who gets it: inventories serve the texts `true` and `false` as booleans. */
  evaluate(host: HostRecord, use?: EvaluationUse): EvaluatedHost;
  /**
   * Names that rules with pasted lists give to hosts of their own, in byte order. Such a host appears in the inventory next to
   * the stored ones, and replaces one of the same name. It belongs to no account.
   */
  readonly rowNames: readonly string[];
  /** `undefined` for a name that is not among them. */
  evaluateRow(hostname: string, use?: EvaluationUse): EvaluatedHost | undefined;
}

/** The services that a provider is created with. */
export interface ProviderServices {
  readonly hosts: {
    get(hostname: string, scope: HostScope): Promise<HostRecord | undefined>;
    /** Those of these names that are active and in scope, in whatever order. All are in memory at once. */
    getEach(hostnames: readonly string[], scope: HostScope): Promise<readonly HostRecord[]>;
    /** `request`: for which inventory it is. */
    scan(
      filter: HostFilter,
      batchSize: number,
      request?: Pick<InventoryRequest, 'mayReadReplica'>,
    ): AsyncIterable<readonly HostRecord[]>;
  };
  readonly rules: {
    /** Enabled documents of a type, in order of evaluation. */
    enabled(type: string): Promise<readonly JsonObject[]>;
    /** All documents of a type, by name: for types that are not switched on and off, such as shared settings. */
    all(type: string): Promise<readonly JsonObject[]>;
    /**
     * Whether an administrator wrote or confirmed the document, one that `enabled` or `all` gave, and every account of which it
     * shows fields.
     */
    isConfirmed(document: JsonObject): boolean;
    /**
     * Returns the documents that an administrator must confirm before the given documents, obtained from `enabled` or `all`
     * (default: the enabled ones), take effect: the documents themselves, or accounts whose fields they show.
     */
    waiting(type: string, documents?: readonly JsonObject[]): Promise<readonly WaitingRule[]>;
  };
  /** Compiled rules of a project, or of no project (`null`); the same object until a revision moves. */
  evaluator(project: string | null): Promise<HostEvaluator>;
  /** The revision of a part of the storage, as in `Storage.revisions`; 0 when it never changed. */
  revision(name: string): Promise<number>;
  /** Renders a template text with the given variables, within the limits of rule templates; empty when it fails. */
  render(template: string, variables: Readonly<Record<string, JsonValue>>): Promise<string>;
  /**
   * The clear text of a member of a document of that type which is kept encrypted (`cmk_secret_crypted`); empty when the document
   * has none. Throws `AppError('failed')` when it does not open.
   */
  secret(type: string, document: JsonObject, member: string): Promise<string>;
  /** The way to systems that are asked over HTTP. */
  readonly http: Http;
  readonly logger: Logger;
}

export type InventoryProviderFactory = (services: ProviderServices) => InventoryProvider;

/** Providers whose names come from stored data, such as one a project. Registered names win over them. */
export interface InventoryProviderFamily {
  names(): Promise<readonly string[]>;
  /** `undefined` when the family has none of that name now. */
  provider(name: string): Promise<InventoryProvider | undefined>;
}

export type InventoryProviderFamilyFactory = (services: ProviderServices) => InventoryProviderFamily;
