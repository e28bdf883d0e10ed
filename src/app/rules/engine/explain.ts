import { withheldReason } from '../../../kit/names/ansible-names.ts';
import { groupFault, hostnameFault, labelsModeOf } from '../../../kit/names/entity-names.ts';
import { type ServedNames, servedVariables } from '../../../kit/names/served-variables.ts';
import { identifierOf, withNames } from '../../../kit/names/variable-names.ts';
import type { HostRecord } from '../../../ports/host.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { FilterLine, RuleStage, RuleVariable } from '../../../ports/rule-type.ts';
import type { ShownAttributes, ShownObject } from './attribute-filter.ts';
import type { BrokenRule, CompiledRule } from './compiled-rule.ts';
import {
  describeLine,
  MessageListener,
  replacedRow,
  ruleName,
  runTraced,
  runTracedRow,
  type TracedHost,
} from './explain-rule.ts';
import type {
  AttributeExplanation,
  HostExplanation,
  Origin,
  RuleExplanation,
  RuleName,
  ValueStep,
  VariableExplanation,
} from './explanation.ts';
import { fillAttributes } from './host-attributes.ts';
import { HostState } from './host-state.ts';
import { readGroups } from './inventory-groups.ts';
import { outOfService } from './life-cycle.ts';
import { LEAVES, type RuleRow } from './list-rules.ts';
import { outcomesByType } from './outcomes-by-type.ts';
import type { CompiledProgram } from './program.ts';
import { withBooleans } from './text-booleans.ts';
import { TracedMap } from './traced-map.ts';

const STAGES: readonly RuleStage[] = ['attributes', 'rewrite', 'filter', 'variables', 'target', 'playbooks'];
/** Rules of these do nothing for a host that a filter took out. */
const AFTER_FILTER: ReadonlySet<RuleStage> = new Set(['variables', 'target', 'playbooks']);

/** Runs the program's own closures over one host and notes everything that they do. */
export function explainHost(record: HostRecord, program: Program, broken: readonly BrokenRule[]): HostExplanation {
  const run = new ExplainedRun(program, { isFiltered: true });
  run.begin(record);
  for (const stage of STAGES) run.stage(stage);
  return run.explanation(broken);
}

/** The same for a host that is a row of a list: no filter looks at it, and of rules it meets its own only. */
export function explainRow(row: RuleRow, program: Program, stage: RuleStage = 'variables'): HostExplanation {
  const run = new ExplainedRun(program, { isFiltered: false });
  run.row(row, stage);
  return run.explanation([]);
}

type Program = Pick<
  CompiledProgram,
  | 'stages'
  | 'inputs'
  | 'targetFilters'
  | 'decides'
  | 'filterOf'
  | 'served'
  | 'textBooleans'
  | 'lifeCycle'
  | 'rows'
  | 'firingRows'
>;

function tracedHost(): TracedHost {
  return {
    state: new HostState(),
    attributes: new TracedMap<JsonValue>(),
    variables: new TracedMap<RuleVariable>(),
    listener: new MessageListener(),
  };
}

class ExplainedRun {
  readonly #program: Program;
  readonly #host: TracedHost;
  readonly #attributeSteps = new Map<string, ValueStep[]>();
  readonly #variableSteps = new Map<string, ValueStep[]>();
  readonly #rules: RuleExplanation[] = [];
  readonly #lineOwners = new Map<FilterLine, RuleName>();
  /** Decides which attributes are shown, if there are filter rules. */
  readonly #filter: ShownAttributes | undefined;
  #ignoredBy: RuleName | undefined;
  /** Since a rule of the target broke off. */
  #isUndecided = false;
  #row: HostExplanation['row'];
  /** Why values are not served whose names another one has become. */
  readonly #lostNames = new Map<string, string>();
  /** The state of its life cycle, where that takes the host out. */
  #state: JsonValue | undefined;

  constructor(program: Program, { isFiltered }: { readonly isFiltered: boolean }) {
    this.#program = program;
    this.#host = tracedHost();
    this.#filter = isFiltered ? program.filterOf(this.#host.state) : undefined;
  }

  begin(record: HostRecord): void {
    const { state, attributes, variables } = this.#host;
    state.begin(record.hostname, attributes, variables);
    if (this.#program.lifeCycle) this.#state = outOfService(record);
    let origin: Origin = { kind: 'account' };
    attributes.listener = (name, before, after) => this.#step(this.#attributeSteps, name, origin, before, after);
    state.failures = this.#host.listener;
    fillAttributes(attributes, record, this.#program.inputs, state, (source) => {
      origin = source;
    });
    attributes.listener = undefined;
    // Messages from labels of host templates belong to no rule.
    this.#host.listener.take();
  }

  stage(stage: RuleStage): void {
    const { state } = this.#host;
    if (stage === 'filter') this.#setHostname();
    if (stage === 'filter' || stage === 'target') state.faulted = false;
    for (const rules of this.#program.stages[stage]) this.#run(rules, stage);
    if (stage === 'filter') this.#targetFilters();
    if (stage === 'target' && !this.#isPast(stage)) this.#isUndecided = this.#isBroken;
    if (stage !== 'playbooks' || this.#isOut) return;
    for (const row of this.#program.firingRows.of(this.#host.state.hostname)) {
      this.#rules.push(runTracedRow(row, stage, tracedHost()));
    }
  }

  /** They are asked about hosts that the others let through. */
  #targetFilters(): void {
    const { state } = this.#host;
    state.faulted = false;
    state.filter = state.targetFilter;
    for (const rules of this.#program.targetFilters) this.#run(rules, 'filter', this.#isOut);
    state.filter = state.projectFilter;
  }

  /** Whether rules of the target could not be asked what the host is to be there. */
  get #isBroken(): boolean {
    const { faulted, meter } = this.#host.state;
    return this.#program.stages.target.length > 0 && (faulted || meter.exceeded);
  }

  row(row: RuleRow, stage: RuleStage): void {
    const { state, attributes } = this.#host;
    const name = { ...ruleName(row.rule), line: row.row.line };
    this.#row = { ...name, columns: row.row.cells };
    for (const other of this.#program.rows.of(row.hostname)) {
      if (other.row !== row.row) this.#rules.push(replacedRow(other, stage));
    }
    for (const [column, cell] of Object.entries(row.row.cells)) {
      attributes.set(column, cell);
      this.#step(this.#attributeSteps, column, { kind: 'row', ...name }, undefined, cell);
    }
    const explanation = runTracedRow(row, stage, this.#host);
    this.#note(explanation);
    this.#rules.push(explanation);
    // The columns are what is served; `row` and `row_idx` are there for templates only.
    state.attributes = attributes;
  }

  #setHostname(): void {
    const { attributes, state } = this.#host;
    this.#step(this.#attributeSteps, 'HOSTNAME', { kind: 'core' }, attributes.get('HOSTNAME'), state.hostname);
    attributes.set('HOSTNAME', state.hostname);
  }

  /** Rules do nothing for a host that was taken out before. */
  #isPast(stage: RuleStage): boolean {
    // No rule runs on it at all, as in `CompiledProgram`: it would count as a hit of theirs.
    if (this.#state !== undefined) return true;
    if (!AFTER_FILTER.has(stage)) return false;
    return this.#isOut || (stage === 'target' && this.#host.variables.has(LEAVES));
  }

  #run(rules: readonly CompiledRule[], stage: RuleStage, left = this.#isPast(stage)): void {
    let ended = false;
    for (const rule of rules) {
      const skipped = left ? 'left' : ended ? 'stopped' : undefined;
      if (skipped !== undefined) {
        this.#rules.push(untouched(rule, stage, skipped));
        continue;
      }
      const explanation = this.#runRule(rule, stage);
      ended = explanation.endedRun;
    }
  }

  #runRule(rule: CompiledRule, stage: RuleStage): RuleExplanation {
    const { state } = this.#host;
    const linesBefore = state.filter.lines.length;
    const traced = runTraced(rule, stage, this.#host);
    const explanation = stage === 'filter' && state.faulted ? leftOut(traced, state) : traced;
    // As the plain way does: see `CompiledProgram`.
    if (state.meter.exceeded && this.#program.decides && !AFTER_FILTER.has(stage) && !state.filter.ignored) {
      state.filter.ignoreHost();
      this.#ignoredBy = ruleName(rule);
    }
    const { lines } = state.filter;
    if (lines.length > linesBefore) {
      for (const line of lines.slice(linesBefore)) this.#lineOwners.set(line, ruleName(rule));
    }
    // Most of thousands of rules change nothing.
    if (explanation.changes.length > 0) this.#note(explanation);
    this.#rules.push(explanation);
    return explanation;
  }

  #note({ type, id, name: ruleName, changes }: RuleExplanation): void {
    const name = { type, id, name: ruleName };
    for (const { what, name: changed, before, after } of changes) {
      if (what === 'ignored') this.#ignoredBy = name;
      if (what !== 'attribute' && what !== 'variable') continue;
      const steps = what === 'attribute' ? this.#attributeSteps : this.#variableSteps;
      this.#step(steps, changed, { kind: 'rule', ...name }, before, after);
    }
  }

  #step(
    steps: Map<string, ValueStep[]>,
    name: string,
    origin: Origin,
    before: JsonValue | undefined,
    after: JsonValue | undefined,
  ): void {
    const step = { origin, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    const list = steps.get(name);
    if (list === undefined) steps.set(name, [step]);
    else list.push(step);
  }

  explanation(broken: readonly BrokenRule[]): HostExplanation {
    const { state } = this.#host;
    const leftOut = this.#fault();
    const included = this.#ignoredBy === undefined && leftOut === undefined;
    const { result, groups } = included ? this.#result() : { result: {}, groups: [] };
    return {
      hostname: state.hostname,
      included,
      ...(this.#ignoredBy === undefined ? {} : { ignoredBy: this.#ignoredBy }),
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(this.#row === undefined ? {} : { row: this.#row }),
      attributes: this.#attributes(),
      variables: this.#variables(),
      groups: [...groups],
      ...(included && state.outcomes.length > 0 ? { outcomes: outcomesByType(state.outcomes) } : {}),
      rules: [...this.#rules, ...broken.map(brokenRule)],
      result,
    };
  }

  #attributes(): AttributeExplanation[] {
    const { attributes, variables, state } = this.#host;
    const plain = [...attributes].map(([name, value]): AttributeExplanation => {
      const steps = this.#attributeSteps.get(name) ?? [];
      const line = this.#filter?.decidingLine(name, value);
      const rule = line && this.#lineOwners.get(line);
      return {
        name,
        value,
        origin: steps.at(-1)?.origin ?? { kind: 'core' },
        steps,
        shown: this.#shows(name, value),
        ...(line && rule ? { filter: { rule, line: describeLine(line) } } : {}),
        replaced: variables.has(name),
        ...this.#consumed(name, value),
      };
    });
    const objects = this.#objects().map(({ name, value, line }): AttributeExplanation => {
      const rule = this.#lineOwners.get(line);
      return {
        name,
        value,
        origin: { kind: 'label' },
        steps: [{ origin: { kind: 'label' }, after: value }],
        shown: !state.ignored,
        ...(rule ? { filter: { rule, line: describeLine(line) } } : {}),
        replaced: variables.has(name),
        ...this.#consumed(name, value),
      };
    });
    return [...plain, ...objects];
  }

  /** Objects of nested labels that the filter shows; empty without a filter. */
  #objects(): readonly ShownObject[] {
    return this.#filter === undefined ? [] : this.#host.state.shownObjects(this.#filter);
  }

  #shows(name: string, value: JsonValue): boolean {
    const isShown = this.#filter?.shows(name, value) ?? !this.#program.inputs.importMarks.has(name);
    return !this.#host.state.ignored && isShown;
  }

  #variables(): VariableExplanation[] {
    return [...this.#host.variables].map(([name, { value, expression }]) => {
      const steps = this.#variableSteps.get(name) ?? [];
      const consumed = this.#consumed(name, value, expression);
      return { name, value, expression, origin: steps.at(-1)?.origin ?? { kind: 'core' }, steps, ...consumed };
    });
  }

  get #isOut(): boolean {
    return this.#ignoredBy !== undefined || this.#state !== undefined;
  }

  #fault(): string | undefined {
    if (this.#state !== undefined) {
      return `its lifecycle_state is ${JSON.stringify(this.#state)}, and inventories have active hosts only (CMDB_MODE).`;
    }
    if (this.#host.variables.has(LEAVES)) return `its variable ${LEAVES} takes the ${this.#row ? 'row' : 'host'} out.`;
    if (this.#isUndecided) return 'a rule of the target broke off on it, so what it is to be there is not known.';
    const { ansibleLabels } = this.#program.served;
    const isReached = ansibleLabels === 'serve' || this.#vouched().includes('ansible_connection');
    return hostnameFault(this.#host.state.hostname, isReached);
  }

  #vouched(): readonly string[] {
    return this.#host.state.vouchedNames();
  }

  get #served(): ServedNames {
    const { names, ansibleLabels } = this.#program.served;
    return { names, ansibleLabels: labelsModeOf(this.#host.state.hostname, ansibleLabels) };
  }

  /** Says under which name consumers get a value that the inventory shows, or why they do not. */
  #consumed(name: string, value: JsonValue, expression = false): { withheld?: string; servedAs?: string } {
    const { names, ansibleLabels } = this.#served;
    const servedAs = names === 'identifier' ? identifierOf(name) : name;
    const isVouched = expression || this.#vouched().includes(name);
    const withheld = withheldReason(servedAs, value, ansibleLabels, isVouched) ?? this.#lostNames.get(name);
    if (withheld !== undefined) return { withheld };
    return servedAs === name ? {} : { servedAs };
  }

  #shownGroups(): JsonValue | undefined {
    const value = this.#host.attributes.get('ansible_groups');
    return value !== undefined && this.#shows('ansible_groups', value) ? value : undefined;
  }

  #result(): { result: JsonObject; groups: readonly string[] } {
    const { attributes, variables } = this.#host;
    const final = new Map<string, JsonValue>();
    const served = (value: JsonValue): JsonValue => (this.#program.textBooleans ? withBooleans(value) : value);
    for (const [name, value] of attributes) if (this.#shows(name, value)) final.set(name, served(value));
    for (const { name, value } of this.#objects()) final.set(name, served(value));
    const expressions = [...variables].filter(([, { expression }]) => expression).map(([name]) => name);
    for (const [name, { value, expression }] of variables) final.set(name, expression ? value : served(value));
    const groups = variables.get('ansible_groups')?.value ?? this.#shownGroups();
    const vouched = [...this.#vouched(), ...expressions];
    const result = servedVariables(Object.fromEntries(final), vouched, this.#served, () => undefined);
    const lost = (name: string, served: string, kept: string): void => {
      this.#lostNames.set(name, `${JSON.stringify(kept)} is ${JSON.stringify(served)} too, and is served in its place`);
    };
    return {
      result: this.#served.names === 'identifier' ? withNames(result, identifierOf, lost) : result,
      groups: readGroups(groups).filter((group) => groupFault(group) === undefined),
    };
  }
}

/** The host leaves where a filter rule broke off on it, see `runFilters`. */
function leftOut(rule: RuleExplanation, { filter, hostname }: HostState): RuleExplanation {
  if (filter.ignored) return rule;
  filter.ignoreHost();
  return { ...rule, changes: [...rule.changes, { what: 'ignored', name: hostname }] };
}

function untouched(rule: CompiledRule, stage: RuleStage, outcome: 'stopped' | 'left'): RuleExplanation {
  const { envelope, mode } = rule;
  return {
    ...ruleName(rule),
    stage,
    sortField: envelope.sortField,
    mode,
    outcome,
    conditions: [],
    changes: [],
    errors: [],
    readsAccounts: false,
    endedRun: false,
  };
}

function brokenRule(rule: BrokenRule): RuleExplanation {
  return {
    ...ruleName(rule),
    stage: rule.stage,
    sortField: rule.envelope.sortField,
    mode: rule.envelope.mode ?? 'anyway',
    outcome: 'broken',
    conditions: [],
    changes: [],
    errors: [rule.failures.last.lastError],
    readsAccounts: false,
    endedRun: false,
  };
}
