import { SecretMask } from '../../../kit/masking/secret-mask.ts';
import type { ServedNames } from '../../../kit/names/served-variables.ts';
import type { HostRecord } from '../../../ports/host.ts';
import type { EvaluatedHost, EvaluationUse, WaitingRule } from '../../../ports/inventory-provider.ts';
import { type JsonObject, type JsonValue, StoredJson } from '../../../ports/json.ts';
import type { RuleStage, RuleVariable } from '../../../ports/rule-type.ts';
import type { ShownAttributes } from './attribute-filter.ts';
import { CmdbTemplates } from './cmdb-templates.ts';
import { type BrokenRule, type CompiledRule, isBroken, isRunnable } from './compiled-rule.ts';
import { compareEnvelopes } from './envelope.ts';
import { explainHost, explainRow } from './explain.ts';
import type { HostExplanation } from './explanation.ts';
import { type AttributeInputs, fillAttributes, InventoryNames } from './host-attributes.ts';
import { HostState } from './host-state.ts';
import { ALL_MARKS, areVolatile, namedMarks } from './import-marks.ts';
import { readGroups } from './inventory-groups.ts';
import { outOfService } from './life-cycle.ts';
import { LEAVES, RuleRows, rowsOf, runRow } from './list-rules.ts';
import { outcomesByType } from './outcomes-by-type.ts';
import { pendingRules, unconfirmedAccounts } from './pending-rules.ts';
import { collectPlaybooks, collectRow } from './playbook-hits.ts';
import { ProgramCompiler } from './program-compiler.ts';
import type { PlaybookHits, PlaybookRuleHit, PreviewProgram, ProgramInput, TriedRow } from './program-input.ts';
import type { RuleFailure } from './rule-failures.ts';
import { countOf, type RuleCount, tallied } from './rule-tally.ts';
import { runFilters, runOutcomes, runRules, runTargetFilters } from './run-rules.ts';
import type { SelectedRules } from './selected-rules.ts';
import { VariablesWriter } from './variables-text.ts';

/** Compiles the rules of one project, for all hosts until something that they were made from changes. */
export function compileProgram(input: ProgramInput): PreviewProgram {
  const compiler = new ProgramCompiler(input);
  const runs = compiler.selected.map((selected) =>
    compiledRun(
      selected,
      selected.documents.map((document) => compiler.rule(selected, document)),
      input,
    ),
  );
  return new CompiledProgram(input, compiler, runs);
}

/**
 * Compiles one rule at a time, so that the caller can do other work in between: thousands of rules take a second. The program is
 * returned at the end.
 */
export function* compileInSteps(input: ProgramInput): Generator<void, PreviewProgram> {
  const compiler = new ProgramCompiler(input);
  const runs: CompiledRun[] = [];
  for (const selected of compiler.selected) {
    const rules: (CompiledRule | BrokenRule)[] = [];
    for (const document of selected.documents) {
      rules.push(compiler.rule(selected, document));
      yield;
    }
    runs.push(compiledRun(selected, rules, input));
  }
  return new CompiledProgram(input, compiler, runs);
}

interface CompiledRun {
  readonly stage: RuleStage;
  readonly isTargets: boolean;
  readonly rules: readonly (CompiledRule | BrokenRule)[];
}

function compiledRun(
  { stage, isTargets }: SelectedRules,
  compiled: readonly (CompiledRule | BrokenRule)[],
  { counts = false }: ProgramInput,
): CompiledRun {
  const rules = counts ? compiled.map((rule) => (isRunnable(rule) ? tallied(rule) : rule)) : compiled;
  return { stage, isTargets, rules: rules.toSorted((a, b) => compareEnvelopes(a.envelope, b.envelope)) };
}

/** Rules of one type, in order; `last_match` ends such a run. */
type RuleRun = readonly CompiledRule[];
export type RuleStages = Readonly<Record<RuleStage, readonly RuleRun[]>>;

const TEMPLATES = 'cmdb_templates';
const GROUPS = 'ansible_groups';
const NO_NAMES: readonly string[] = [];
const NONE: ReadonlySet<JsonObject> = new Set();
const EMPTY = StoredJson.ofValue<JsonObject>({});

/** Failures may tell what a value was, in any disguise that a template gave it. */
const HIDDEN_REASON =
  'the reason is not shown here, because rules of this inventory use secrets of accounts; "muster rules test" shows it without them';

export class CompiledProgram implements PreviewProgram {
  readonly revision: string;
  readonly volatile: boolean;
  readonly stages: RuleStages;
  readonly playbookRules: readonly string[];
  readonly inputs: AttributeInputs;
  readonly served: ServedNames;
  /** True when the project has an enabled filter rule, even one that does not compile: what is not let through is hidden. */
  readonly filtered: boolean;
  /** The same of the rules of the target. */
  readonly targetFiltered: boolean;
  /** True when rules decide where hosts go and what they are there: a host that they could not be asked about is undecided. */
  readonly decides: boolean;
  /** Filter rules of the target; those that are for every consumer are among the stages. */
  readonly targetFilters: readonly RuleRun[];
  /** Whether inventories serve texts that are booleans as such. */
  readonly textBooleans: boolean;
  /** Whether hosts are left out by the state of their life cycle. */
  readonly lifeCycle: boolean;
  readonly #rules: readonly CompiledRule[];
  readonly #broken: readonly BrokenRule[];
  readonly #secrets: ReadonlySet<string>;
  readonly #pending: readonly WaitingRule[];
  readonly #state: HostState;
  readonly #writer = new VariablesWriter();
  /** Hosts that rules make of pasted lists. */
  readonly rows: RuleRows;
  /** For the hosts that they name, lists run playbooks. */
  readonly firingRows: RuleRows;
  /** For those whose texts are not among the rules: the bodies of autorules. */
  readonly #allInputs: AttributeInputs;

  constructor(input: ProgramInput, { selected, secrets, labels }: ProgramCompiler, compiled: readonly CompiledRun[]) {
    const { unconfirmed = NONE } = input;
    const accounts = unconfirmedAccounts(input);
    this.#pending = selected.flatMap((rules) => pendingRules(rules, unconfirmed, accounts));
    this.served = input.served ?? { names: 'keep', ansibleLabels: 'safe' };
    const runsOf = (stage: RuleStage, { isTargets = false } = {}): RuleRun[] =>
      compiled
        .filter((run) => run.stage === stage && (stage !== 'filter' || run.isTargets === isTargets))
        .map((run) => run.rules.filter(isRunnable).filter(({ rows }) => rows === undefined))
        .filter((run) => run.length > 0);
    const all = compiled.flatMap(({ rules }) => rules);
    this.revision = input.revision;
    this.stages = {
      attributes: runsOf('attributes'),
      rewrite: runsOf('rewrite'),
      filter: runsOf('filter'),
      variables: runsOf('variables'),
      target: runsOf('target'),
      playbooks: runsOf('playbooks'),
    };
    this.targetFilters = runsOf('filter', { isTargets: true });
    const listRules = (stage: RuleStage): readonly CompiledRule[] =>
      compiled
        .filter((run) => run.stage === stage)
        .flatMap(({ rules }) => rules.filter(isRunnable).filter(({ rows }) => rows !== undefined));
    this.rows = new RuleRows(listRules('variables'));
    const firing = listRules('playbooks');
    this.firingRows = new RuleRows(firing);
    this.playbookRules = [...this.stages.playbooks.flat(), ...firing].map(({ envelope }) => envelope.id);
    const filters = selected.filter(({ stage, documents }) => stage === 'filter' && documents.length > 0);
    const choosing = filters.filter(({ type }) => type.evaluation?.hostsOnly !== true);
    this.filtered = choosing.some(({ isTargets }) => !isTargets);
    this.targetFiltered = choosing.some(({ isTargets }) => isTargets);
    this.decides =
      filters.length > 0 || selected.some(({ stage, documents }) => stage === 'target' && documents.length > 0);
    this.#rules = all.filter(isRunnable);
    this.#broken = all.filter(isBroken);
    const marks = namedMarks([...selected.flatMap(({ documents }) => documents), ...input.templates]);
    const templates = new CmdbTemplates(input.templates, unconfirmed, labels);
    this.#state = new HostState({ readsMarks: marks.size > 0 });
    this.volatile = areVolatile(marks) || templates.volatile || this.#rules.some((rule) => rule.volatile);
    this.textBooleans = input.textBooleans ?? true;
    this.lifeCycle = input.lifeCycle ?? false;
    this.#secrets = secrets;
    this.inputs = {
      accountNames: new Map(input.accounts.map(({ id, name }) => [id, name])),
      templates,
      inventoryNames: new InventoryNames(),
      dropAnsibleLabels: this.served.ansibleLabels === 'drop',
      importMarks: marks,
      merged: input.mergedAttributes?.length ? new Set(input.mergedAttributes) : undefined,
    };
    this.#allInputs = { ...this.inputs, importMarks: ALL_MARKS };
  }

  get waiting(): readonly WaitingRule[] {
    return [...this.#pending, ...this.inputs.templates.pending.map((name) => ({ type: TEMPLATES, name }))];
  }

  evaluate(host: HostRecord, use: EvaluationUse = 'inventory'): EvaluatedHost {
    return this.#pass(host) ?? this.#result(this.#state, this.textBooleans && use === 'inventory');
  }

  /** Runs the rules over the host; answers what becomes of one that leaves on the way. */
  #pass(host: HostRecord): EvaluatedHost | undefined {
    if (this.lifeCycle && outOfService(host) !== undefined) return absent(host.hostname);
    const state = this.#state;
    const { stages } = this;
    const attributes = new Map<string, JsonValue>();
    const variables = new Map<string, RuleVariable>();
    state.begin(host.hostname, attributes, variables);
    fillAttributes(attributes, host, this.inputs, state);
    for (const run of stages.attributes) runRules(run, state);
    for (const run of stages.rewrite) runRules(run, state);
    attributes.set('HOSTNAME', host.hostname);
    runFilters(stages.filter, state);
    if (this.#hides(state)) return leftOut(state);
    if (this.targetFilters.length > 0) {
      runTargetFilters(this.targetFilters, state);
      if (this.#hides(state)) return leftOut(state);
    }
    for (const run of stages.variables) runRules(run, state);
    if (variables.has(LEAVES)) return absent(host.hostname);
    if (stages.target.length > 0) {
      runOutcomes(stages.target, state);
      if (state.faulted || state.meter.exceeded) return { ...absent(host.hostname), undecided: true };
    }
    return undefined;
  }

  count(host: HostRecord): void {
    this.#pass(host);
    if (this.playbookRules.length > 0) this.playbooks(host);
  }

  counts(): ReadonlyMap<string, RuleCount> {
    const overHosts = [...this.#rules.filter(({ rows }) => rows === undefined), ...this.#broken];
    return new Map(
      overHosts.map((rule) => {
        const count = countOf(rule);
        const isShown = this.#secrets.size === 0 || count.failing === 0;
        return [`${rule.type} ${rule.envelope.id}`, isShown ? count : { ...count, lastError: HIDDEN_REASON }];
      }),
    );
  }

  get rowNames(): readonly string[] {
    return this.rows.hostnames;
  }

  evaluateRow(hostname: string, use: EvaluationUse = 'inventory'): EvaluatedHost | undefined {
    const row = this.rows.last(hostname);
    if (row === undefined) return undefined;
    const state = this.#state;
    const variables = new Map<string, RuleVariable>();
    state.attributes = runRow(row, state, variables);
    if (variables.has(LEAVES)) return absent(hostname);
    return this.#result(state, this.textBooleans && use === 'inventory', false);
  }

  attributes(host: HostRecord): ReadonlyMap<string, JsonValue> {
    const attributes = new Map<string, JsonValue>();
    this.#state.begin(host.hostname, attributes, new Map());
    fillAttributes(attributes, host, this.#allInputs, this.#state);
    for (const run of this.stages.attributes) runRules(run, this.#state);
    attributes.set('HOSTNAME', host.hostname);
    return attributes;
  }

  playbooks(host: HostRecord): PlaybookHits {
    if (this.lifeCycle && outOfService(host) !== undefined) return { hits: [], undecided: new Set() };
    const state = this.#state;
    const { stages } = this;
    const attributes = new Map<string, JsonValue>();
    state.begin(host.hostname, attributes, new Map());
    fillAttributes(attributes, host, this.inputs, state);
    for (const run of stages.attributes) runRules(run, state);
    for (const run of stages.rewrite) runRules(run, state);
    attributes.set('HOSTNAME', host.hostname);
    runFilters(stages.filter, state);
    const hits: PlaybookRuleHit[] = [];
    const undecided = new Set<string>();
    if (this.decides && state.meter.exceeded) for (const id of this.playbookRules) undecided.add(id);
    else if (!state.ignored) {
      for (const run of stages.playbooks) collectPlaybooks(run, state, hits, undecided);
      for (const row of this.firingRows.of(host.hostname)) collectRow(row, state, hits, undecided);
    }
    return { hits, undecided };
  }

  explain(host: HostRecord): HostExplanation {
    return explainHost(host, this, this.#broken);
  }

  explainRow(hostname: string): HostExplanation | undefined {
    const row = this.rows.last(hostname);
    return row === undefined ? undefined : explainRow(row, this);
  }

  tryRows(type: string, id: string, limit: number): { readonly total: number; readonly rows: readonly TriedRow[] } {
    const rule = this.#rules.find((candidate) => candidate.type === type && candidate.envelope.id === id);
    const rows = rule === undefined ? [] : [...rowsOf(rule)];
    const fires = rule !== undefined && this.firingRows.rules.has(rule);
    return {
      total: rows.length,
      rows: rows.slice(0, limit).map((row) => {
        const { hostname } = row;
        return {
          line: row.row.line,
          hostname,
          isReplaced: hostname !== '' && !fires && this.rows.last(hostname)?.row !== row.row,
          fires,
          explanation: hostname === '' ? undefined : explainRow(row, this, fires ? 'playbooks' : 'variables'),
        };
      }),
    };
  }

  /** A rule about playbooks that does not compile starts none, which is safe; it is among the errors. */
  get broken(): readonly RuleFailure[] {
    return this.#broken.filter(({ stage }) => stage !== 'playbooks').map((rule) => this.#failure(rule));
  }

  masked<T extends JsonValue>(value: T): T {
    return new SecretMask(this.#secrets).value(value);
  }

  errors(): readonly RuleFailure[] {
    const rules = [...this.#broken, ...this.#rules].filter((rule) => rule.failures.errors > 0);
    const templates = this.inputs.templates.failures().map((failure) => this.#shown(failure));
    return [...rules.map((rule) => this.#failure(rule)), ...templates];
  }

  #failure({ type, envelope, failures }: CompiledRule | BrokenRule): RuleFailure {
    return this.#shown({ type, id: envelope.id, name: envelope.name, ...failures.last });
  }

  #shown(failure: RuleFailure): RuleFailure {
    return this.#secrets.size === 0 ? failure : { ...failure, lastError: HIDDEN_REASON };
  }

  /**
   * Whether the host leaves the inventory. If a filter decides who sees what, it also leaves when a rule met a limit on it: a
   * writer of a host's values must not be able to make it visible by making them too long to be looked at.
   */
  #hides({ ignored, meter }: HostState): boolean {
    return ignored || (this.decides && meter.exceeded);
  }

  /** Returns the filter for attributes; `undefined` shows all of them. */
  filterOf(state: HostState): ShownAttributes | undefined {
    if (!this.targetFiltered) return this.filtered ? state.projectFilter : undefined;
    return this.filtered ? state.bothFilters : state.targetFilter;
  }

  /** `isFiltered` is false for a row of a list, at which no filter looks. */
  #result(state: HostState, booleans: boolean, isFiltered = true): EvaluatedHost {
    const { attributes, variables, hostname, outcomes } = state;
    const filter = isFiltered ? this.filterOf(state) : undefined;
    const writer = this.#writer;
    const { importMarks } = this.inputs;
    const hasVariables = variables.size > 0;
    let members = '';
    for (const [name, value] of attributes) {
      if (filter !== undefined ? !filter.shows(name, value) : importMarks.has(name)) continue;
      if (hasVariables && variables.has(name)) continue;
      members += writer.member(name, value, booleans);
    }
    if (filter !== undefined) {
      for (const { name, value } of state.shownObjects(filter)) {
        if (!variables.has(name)) members += writer.member(name, value, booleans);
      }
    }
    let expressions: [string, JsonValue][] | undefined;
    for (const [name, { value, expression }] of variables) {
      if (!expression) members += writer.member(name, value, booleans);
      else if (expressions === undefined) expressions = [[name, value]];
      else expressions.push([name, value]);
    }
    const result = new IncludedHost(
      hostname,
      StoredJson.ofText<JsonObject>(writer.object(members)),
      state.vouched.length === 0 ? NO_NAMES : state.vouchedNames(),
      readGroups(shownGroups(state, filter)),
    );
    if (expressions === undefined && outcomes.length === 0) return result;
    return {
      ...result,
      ...(expressions === undefined ? {} : { expressions: Object.fromEntries(expressions) }),
      ...(outcomes.length === 0 ? {} : { outcomes: outcomesByType(outcomes) }),
    };
  }
}

/** A class, because V8 compiles a function twice that makes many objects of a literal which live on, and this one is large. */
class IncludedHost implements EvaluatedHost {
  readonly hostname: string;
  readonly included = true;
  readonly variables: StoredJson<JsonObject>;
  readonly vouched: readonly string[];
  readonly groups: readonly string[];

  constructor(
    hostname: string,
    variables: StoredJson<JsonObject>,
    vouched: readonly string[],
    groups: readonly string[],
  ) {
    this.hostname = hostname;
    this.variables = variables;
    this.vouched = vouched;
    this.groups = groups;
  }
}

/** The groups that the host is put into: by a variable, or by an attribute that is shown. */
function shownGroups({ attributes, variables }: HostState, filter: ShownAttributes | undefined): JsonValue | undefined {
  const variable = variables.get(GROUPS);
  if (variable !== undefined) return variable.value;
  const value = attributes.get(GROUPS);
  return value === undefined || filter?.shows(GROUPS, value) === false ? undefined : value;
}

function absent(hostname: string): EvaluatedHost {
  return { hostname, included: false, variables: EMPTY, groups: [] };
}

/** If no filter removed the host, it is left out because of a limit, and whether a filter would have is unknown. */
function leftOut({ hostname, faulted, ignored }: HostState): EvaluatedHost {
  const result = absent(hostname);
  return faulted || !ignored ? { ...result, undecided: true } : result;
}
