import type { ServedNames } from '../../../kit/names/served-variables.ts';
import type { HostRecord } from '../../../ports/host.ts';
import type { HostEvaluator } from '../../../ports/inventory-provider.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { RuleDocument } from '../../../ports/rule.ts';
import type { RuleLanguage } from '../../../ports/rule-language.ts';
import type { PlaybookWish, RuleType } from '../../../ports/rule-type.ts';
import type { HostExplanation } from './explanation.ts';
import type { RuleFailure } from './rule-failures.ts';
import type { RuleCount } from './rule-tally.ts';

/**
 * How a macro of a secret field is expanded. `opened`: to the secret, for inventories, exports and runs. `hidden`: to a
 * placeholder, for everything that is shown: whatever a template does with it, it works on the placeholder. `kept`: to the macro
 * as written, for texts that become rules themselves, so that no secret is ever stored in one.
 */
export type MacroView = 'opened' | 'hidden' | 'kept';

/** An account as far as rules know it. */
export interface ProgramAccount {
  readonly id: string;
  readonly name: string;
  /** True if its document or that of its parent is not confirmed: what it shows is data. */
  readonly unconfirmed?: boolean;
  /** True if a secret of it that rules show is kept elsewhere and may change there. */
  readonly changesElsewhere?: boolean;
  /** Why a secret that rules show of it could not be read from where it is kept. */
  readonly unreadable?: string;
  /** `name`, `address`, `username`, `password`, or a custom field; `undefined` when there is none. */
  field(name: string): AccountField | undefined;
}

export interface AccountField {
  readonly text: string;
  /** True for a secret. The text is a placeholder for it in programs whose results people look at. */
  readonly isSecret: boolean;
}

/** Everything that the rules of one project depend on, as plain values: it can be made inside of a worker thread. */
export interface ProgramInput {
  /** Identifies the state that the rest was read from. */
  readonly revision: string;
  /** The project, or `null` for the rules of no project. */
  readonly project: { readonly id: string; readonly name: string } | null;
  /** The type of targets that the hosts are for, whose own rules run too; absent: none. */
  readonly target?: string;
  /** Documents of type `automation_projects`, to know the id of the one named `Default`. */
  readonly projects?: readonly RuleDocument[];
  /** The registered types; those without evaluation are passed over. */
  readonly types: Iterable<RuleType>;
  /** Documents of all projects by the ident of their type, in any order, disabled ones too. */
  readonly rules: ReadonlyMap<string, readonly RuleDocument[]>;
  /** Documents of type `cmdb_templates`. */
  readonly templates: readonly JsonObject[];
  readonly accounts: readonly ProgramAccount[];
  readonly now: () => Date;
  /** Ids of monitoring passwords by name, for `cmk_password` in templates. */
  readonly passwordIds?: ReadonlyMap<string, string>;
  /** Filters and operators that plugins add to the rule language. */
  readonly language?: RuleLanguage;
  /** Those of the documents that no administrator wrote or confirmed; what they set counts as data. */
  readonly unconfirmed?: ReadonlySet<JsonObject>;
  /** How inventories serve names; absent: as they are, and of Ansible's own only what is safe. */
  readonly served?: ServedNames;
  /** False leaves texts `true` and `false` in inventories what they are; absent: they become booleans. */
  readonly textBooleans?: boolean;
  /** True leaves hosts out whose record gives them a state of their life cycle other than active. */
  readonly lifeCycle?: boolean;
  /** Attributes that collect the values of all templates of a host, and its own, separated by commas. */
  readonly mergedAttributes?: readonly string[];
  /** True also counts which rules hit, for `count` and `counts`: others need not pay for it. */
  readonly counts?: boolean;
}

/** A rule that wants a playbook to be run for a host. */
export interface PlaybookRuleHit {
  readonly ruleId: string;
  readonly ruleName: string;
  /** False if the rule was not confirmed when it was compiled, whatever is stored by now. */
  readonly confirmed: boolean;
  /** In the order of its outcomes. */
  readonly wishes: readonly PlaybookWish[];
}

/** The result of the rules about playbooks for one host. */
export interface PlaybookHits {
  readonly hits: readonly PlaybookRuleHit[];
  /** Ids of rules that failed on this host, or were not reached because of one that did: what they say is not known. */
  readonly undecided: ReadonlySet<string>;
}

/** The compiled rules of one project, with the secrets of accounts that they show: for inventories, exports and runs. */
export interface HostProgram extends HostEvaluator {
  /** The attributes after the rules that are for every consumer, as autorules and exports see them. */
  attributes(host: HostRecord): ReadonlyMap<string, JsonValue>;
  /** Ids of the rules about playbooks that can run. */
  readonly playbookRules: readonly string[];
  /** Which of them hit the host, as they see it behind the filter. None hits a host that the filter takes out. */
  playbooks(host: HostRecord): PlaybookHits;
  /** The value with what account macros put into it hidden. */
  masked<T extends JsonValue>(value: T): T;
  /** Enabled rules that decide on attributes, hosts or variables and do not compile: what they would do is not known. */
  readonly broken: readonly RuleFailure[];
  /** Rules that failed since the program was compiled. Once a secret was put to work, without the reasons. */
  errors(): readonly RuleFailure[];
}

/** A row of a pasted list as the rule takes it. */
export interface TriedRow {
  /** The line in the list, counted from 1. */
  readonly line: number;
  /** Empty when the row names none. */
  readonly hostname: string;
  /** True when a later row of the name counts in its place. */
  readonly isReplaced: boolean;
  /** True when it runs playbooks for the host, and makes none. */
  readonly fires: boolean;
  /** Absent when the row makes nothing, because it names no host. */
  readonly explanation: HostExplanation | undefined;
}

/** The compiled rules of one project without any secret: anyone who may see the rules may be shown the results. */
export interface PreviewProgram extends HostProgram {
  /** Why this host has what it has. Counts no failures. */
  explain(host: HostRecord): HostExplanation;
  /** The same of a host that is a row of a pasted list; `undefined` when none of that name is. */
  explainRow(hostname: string): HostExplanation | undefined;
  /** Runs all rules over the host, those about playbooks too, and makes nothing of it but counts; each host is given once. */
  count(host: HostRecord): void;
  /** Returns the counts of the rules that run over hosts, by `<type> <id>`, if the program counts. */
  counts(): ReadonlyMap<string, RuleCount>;
  /** Returns what one rule makes of the first rows of its list; no rows for a rule that does not run here or has no list. */
  tryRows(type: string, id: string, limit: number): { readonly total: number; readonly rows: readonly TriedRow[] };
}
