import type { ErrorDetail, Wording } from './errors.ts';
import type { JsonObject, JsonValue } from './json.ts';
import type { RuleDocument } from './rule.ts';

/** A compiled template. Rendering never throws. */
export interface RuleTemplate {
  /** The trimmed text when it does not depend on the host. */
  readonly constant: string | undefined;
  /** True when it depends on more than the host: it prints the time. */
  readonly volatile: boolean;
  /**
   * The trimmed text, or `undefined` when the template failed; the failure is counted on the rule that is running. `locals`
   * are further variables, found before attributes of the same name.
   */
  render(host: RuleHost, locals?: ReadonlyMap<string, JsonValue>): string | undefined;
}

/** Makes a rule's texts executable; each but `list` throws `RuleCompileError` for a text that cannot work. */
export interface RuleCompiler {
  template(text: string): RuleTemplate;
  /** RE2 syntax, linear time; matches from the start of the value. */
  pattern(text: string): (value: string) => boolean;
  /** Reads a list written as Python literal or as JSON; `undefined` when the text is neither. Never throws. */
  list(text: string): readonly JsonValue[] | undefined;
}

/** A text of a rule that cannot work. */
export class RuleCompileError extends Error {
  override readonly name = 'RuleCompileError';
}

/** A host on its way through the rules of one consumer. Valid only during the call that got it: it is used again. */
export interface RuleHost {
  readonly hostname: string;
  /** The attributes so far. Stages `attributes` and `rewrite` change this map, the later ones must only read it. */
  readonly attributes: Map<string, JsonValue>;
  /**
   * The object that labels are members of, for a name that no attribute has: sources call nested members by their path, so of
   * `site.name` and `site.room.floor` the object `site` has `name` and `room`. `undefined` when there are no such labels.
   */
  object(name: string): JsonObject | undefined;
  /** Custom variables so far; stage `variables` fills it, by `set` alone. */
  readonly variables: Map<string, RuleVariable>;
  /** Takes what stage `filter` decides. */
  readonly filter: AttributeFiltering;
  /** Takes what stage `playbooks` wants to be run; the others must leave it alone. */
  wantPlaybook(wish: PlaybookWish): void;
  /** Takes what stage `target` decides for the host, in words of the target: it gets them by rule type, in the order of the rules. */
  outcome(value: JsonValue): void;
  /**
   * Tells that the document itself, and no template, names the attribute or variable that was just set, and with which value.
   * Names that hold `ansible` need it: by such variables Ansible connects and runs programs, so inventories serve them only when
   * an administrator wrote that name (or when they say no more than where a host is).
   */
  vouch(name: string, value: JsonValue | RuleVariable): void;
  /** After a hit by an attribute condition: the attribute that satisfied it. */
  readonly matchingTag: string | undefined;
  readonly matchingValue: JsonValue | undefined;
  /** Counts a failure on the rule that is running. */
  report(message: string): void;
}

/** A playbook that a rule wants to be run for a host when it begins to match it. */
export interface PlaybookWish {
  /** Its file or name in the manifest. */
  readonly playbook: string;
  /** The inventory provider to run with; empty for the usual one. */
  readonly inventory: string;
  /** Further variables of the run. */
  readonly extraVariables: JsonObject | null;
}

export interface RuleVariable {
  readonly value: JsonValue;
  /** True when the author wants the inventory's consumer to evaluate the text: it is served as written. */
  readonly expression: boolean;
}

/** One line of a filter. Of the lines that a host's rules add, the last one that fits an attribute decides on it. */
export interface FilterLine {
  /** The side of an attribute that `text` is compared with: its name, or its value as text. Lists and objects have no text. */
  readonly on: 'name' | 'value';
  readonly text: string;
  /** True compares the beginning, false the whole. */
  readonly prefix: boolean;
  /** False takes away what an earlier line let through. */
  readonly show: boolean;
}

/** Collects the decisions of filter rules for one host. While a project has no enabled filter rule, everything passes. */
export interface AttributeFiltering {
  /** Throws for a type whose rules take hosts out only, see `hostsOnly`. */
  add(line: FilterLine): void;
  /** The host leaves this inventory. */
  ignoreHost(): void;
}

/**
 * The effect of a rule on a host that it hits, carried out at once: not asynchronously. Must depend on nothing but the host. If
 * it throws, the failure is counted on the rule and the next rule continues with the state so far. In stage `filter` the host is
 * left out, since it is unknown whether it should be included, and in stage `target` it is unknown what it should be there.
 */
export type RuleAction = (host: RuleHost) => void;

/**
 * The stages in the order in which a host passes them; `attributes` is for every consumer, the others belong to a project.
 * `target` decides what one type of targets is to make of the host. `playbooks` is not part of an inventory: its rules are
 * evaluated when playbooks are fired.
 */
export type RuleStage = 'attributes' | 'rewrite' | 'filter' | 'variables' | 'target' | 'playbooks';

/** How rules of a type act on hosts. */
export interface RuleEvaluation {
  readonly stage: RuleStage;
  /**
   * The type of targets that the rules are for, which the same plugin registers: nothing but an export to an account of that type
   * runs them. For the stages `rewrite`, `filter` and `variables`, in which they come after the rules that are for every consumer,
   * and for the stage `target`, which needs it.
   */
  readonly target?: string;
  /**
   * For stage `filter`: the rules take hosts out and choose no attributes, so that such a rule hides nothing of the hosts that
   * stay.
   */
  readonly hostsOnly?: true;
  /**
   * The hosts that a document alone is about, whatever its conditions say: a hostname for each of its outcomes, in
   * their order, and a host may have several. `undefined`: its conditions say which hosts it hits.
   */
  hostnames?(document: RuleDocument): Iterable<string> | undefined;
  /** Compiled once a revision. Throws `RuleCompileError` for a document that cannot work. */
  compile(document: RuleDocument, compiler: RuleCompiler): RuleAction;
}

/** Which export flag a type needs: `rules` is always exported. */
export type ExportGroup = 'rules' | 'hosts' | 'accounts' | 'users' | 'passwords';

/** The rights of a caller, for types that must not be used to gain more (accounts, users). */
export interface RuleWriter {
  readonly name: string;
  readonly roles: readonly string[];
  readonly globalAdmin: boolean;
  /** Names of accounts, or `null` when not restricted. */
  readonly accounts: readonly string[] | null;
  /** Names of templates, or `null` when not restricted. */
  readonly templates: readonly string[] | null;
}

export interface RulePreparation {
  readonly existing: RuleDocument | undefined;
  /**
   * Encrypts under the instance key, for this member of this document: the text opens nowhere else. Elements of lists are known
   * by their `name` (`custom_fields.api_token.value_crypted`), without one by their number.
   */
  seal(plain: string, member: string): Promise<string>;
  hashPassword(password: string): Promise<string>;
  /** Whether the type of accounts says that this option of it is a secret, whatever it is called. */
  isSecretOption(accountType: string, option: string): boolean;
}

/** A reason why a document cannot work. */
export interface RuleProblem extends ErrorDetail {
  /**
   * True when the document has the form of its type, and a text in it cannot be used here: a template or a pattern that does not
   * compile, a list that cannot be read. An existing installation may hold such a document, and it is kept, not refused.
   */
  readonly inText?: true;
}

/**
 * A type whose documents, when written by an administrator, cannot be undone by other users: a change, move, switch-off or
 * removal by them waits, and the confirmed version stays in effect until an administrator confirms the change.
 */
export interface RuleRestriction {
  /** The part of the document that restricts, to compare it with that of another version; `undefined`: nothing of it does. */
  part(document: RuleDocument): JsonValue | undefined;
  /**
   * Whether the document gives people more than the writer holds. An administrator who holds less than one document of the type
   * gives changes and removes none of them alone: people whom another document held down would get it.
   */
  exceeds?(document: RuleDocument, writer: RuleWriter): boolean;
  /**
   * Whether the change is one that no administrator makes alone: it waits until another one confirms it. `find` answers the document of the type
   * that has this name or id.
   */
  needsSecond?(
    before: RuleDocument,
    after: RuleDocument,
    find: (reference: string) => RuleDocument | undefined,
  ): boolean;
}

/** A reference from one document to another, by name or id. */
export interface RuleReference {
  readonly path: string;
  readonly type: string;
  /** The name, or the 24 hex digits of an `$oid`. */
  readonly target: string;
}

/** A type whose documents are known and wait for what will act on them. */
export interface KeptType {
  /** The system that its documents are for, such as `NetBox`. */
  readonly system: string;
  /** Why its documents have no effect and what would give them one, as words that follow "its documents". */
  readonly reason: string;
  /** For documents that are not rules, such as saved searches: inventories never depend on them, whether enabled or not. */
  readonly noRule?: true;
}

/** An attribute that a document names. */
export interface NamedAttribute {
  readonly path: string;
  /** Its name, or with a trailing `*` the beginning of names. */
  readonly name: string;
  /** `shows` also of those that it hides. */
  readonly use: 'reads' | 'sets' | 'shows';
}

/**
 * A kind of rule document. The core owns the envelope (`_id`, `name`, `enabled`, `sort_field`, `last_match`,
 * `condition_typ`, `conditions`); a type owns its outcomes and further members.
 */
export interface RuleType {
  readonly id: string;
  /** Idents of older installations that mean this type. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly keyedBy: string;
  /**
   * The purpose of the documents, as a heading above the types of one group: `Monitoring`. Absent: the type is shown with those
   * of other plugins.
   */
  readonly group?: string;
  /** False when documents mean the same whether they are enabled or not. */
  readonly switched?: false;
  /** An outcome in one line, for lists; absent: its members as they are. Secret members are masked in it. */
  line?(outcome: JsonObject): Wording;
  /**
   * Returns the name of a document that lacks the member it is keyed by. A type without it refuses such documents, unless it is
   * kept; with it, only names that documents have of their own are unique.
   */
  nameOf?(document: RuleDocument): string;
  readonly uniqueNames: boolean;
  /** True when documents have conditions and outcomes. */
  readonly conditional: boolean;
  /** True when a document may be about the rows of a pasted list (`rule_source`, `list_source`) instead of hosts. */
  readonly takesList?: boolean;
  readonly exportGroup: ExportGroup;
  /**
   * Documents of the type are stored, shown and exported as they came, without checks and without effect: nothing here acts on
   * them yet. Only clear secrets become sealed ones, also under names that say so. A type with an engine takes the place of a
   * kept one of the same ident.
   */
  readonly kept?: KeptType;
  /**
   * Members whose values are secret (sealed or hashed); masked wherever a document is shown or compared. A dotted path
   * (`custom_fields.value_crypted`) reaches into objects and every element of lists.
   */
  readonly secretMembers: readonly string[];
  /** Members that the program counts itself: a folder of rules neither holds nor changes them, and a revert leaves them as they are. */
  readonly countedMembers?: readonly string[];
  /** JSON Schema of the members beyond the envelope, for documentation and forms. May be a getter: nothing hot reads it. */
  readonly schema: JsonObject;

  /** Idents of rule types that the document names and that must be known, with the paths at which they appear. */
  ruleTypesNamed?(document: RuleDocument): readonly { readonly path: string; readonly ident: string }[];
  /**
   * Attributes and variables that the document names outside of its conditions and templates, which the core reads itself. Absent:
   * none.
   */
  attributesNamed?(document: RuleDocument): readonly NamedAttribute[];
  /** API roles that the document gives; unknown ones are warnings. */
  rolesNamed?(document: RuleDocument): readonly { readonly path: string; readonly role: string }[];
  /** Jobs of cron groups that the document names; ones that no plugin registers are warnings. */
  jobsNamed?(document: RuleDocument): readonly { readonly path: string; readonly command: string }[];
  /**
   * Options of a type of accounts that the document sets, without those that accounts of every type have; ones that the type does not
   * have are warnings.
   */
  optionsNamed?(document: RuleDocument): {
    readonly accountType: string;
    readonly options: readonly { readonly path: string; readonly name: string }[];
  };
  /** True when documents become inventory providers of their names; names of registered providers are refused then. */
  readonly namesProvider?: boolean;

  /** Returns the reasons why the document cannot work, with paths; empty if it is valid. Unknown members are allowed. */
  check(document: RuleDocument, compiler: RuleCompiler): readonly RuleProblem[];
  /** Returns problems that a document must not newly have, although an existing one may keep them. */
  changeProblems?(document: RuleDocument, existing: RuleDocument | undefined): readonly ErrorDetail[];
  /** Names of one likeness are taken for each other: no document gets a name that is like another one's. */
  nameLikeness?(name: string): string;
  /** A member that sets someone's password for this service, in clear: it obeys the password policy. */
  readonly passwordMember?: string;
  /** A further value that must be unique within the type. */
  uniqueValue?(document: RuleDocument): string | undefined;
  /** Documents it refers to; missing ones are warnings. */
  references?(document: RuleDocument): readonly RuleReference[];
  /** Brings a document into the form that is stored: clear secrets sealed, older spellings made current. */
  prepare?(document: RuleDocument, context: RulePreparation): Promise<RuleDocument>;
  /**
   * True for a document with secrets in clear, as an older version of the type stored it: `prepare` seals them, and documents
   * and past versions that are stored so are brought into that form when a service starts.
   */
  holdsClearSecrets?(document: RuleDocument): boolean;
  /**
   * A past version without the secrets that the present document names a reference for; the same object when it holds none of
   * them. What is kept elsewhere is not kept in the history here either.
   */
  withoutMovedSecrets?(past: RuleDocument, present: RuleDocument): RuleDocument;
  /**
   * The actions that the document makes the machine take, in words that follow "it" ("runs the job Import"); empty for one that
   * only describes. None of them happen before an administrator wrote or confirmed the document.
   */
  acts?(document: RuleDocument): readonly string[];
  /** For a type whose documents restrict people, calls or data. Types of stage `filter` restrict without declaring it. */
  readonly restricts?: RuleRestriction;
  /**
   * The things on the machine that the document names, such as files, as a text to compare. While an administrator leaves that
   * text unchanged, the operator of the machine still vouches for it; absent: anyone who changes anything becomes the one who
   * vouches.
   */
  onMachine?(document: RuleDocument): string;
  /**
   * Accounts that the document belongs to, by name or id, and whose hosts alone it acts on; none if it reaches all. A user
   * restricted to accounts writes documents only of types that implement this, and only documents that belong to these accounts.
   * A type without it acts on hosts of any account, so a restricted user cannot write its documents.
   */
  accountsOf?(document: RuleDocument): readonly string[];
  /**
   * The same for users restricted to templates: the templates that the document belongs to, by name or id. A user document
   * belongs to all templates that it is restricted to; a host is decided by the stored one.
   */
  templatesOf?(document: RuleDocument): readonly string[];
  /** Whether a restricted user may see the document; absent: every user may. */
  visible?(document: RuleDocument, reader: RuleWriter): boolean;
  /** Returns what the writer may not do with this document; empty if all is allowed. */
  refusals?(document: RuleDocument, existing: RuleDocument | undefined, writer: RuleWriter): readonly ErrorDetail[];

  readonly evaluation?: RuleEvaluation;
}
