import { sameValue } from '../../../kit/json/json-text.ts';
import type { JsonValue } from '../../../ports/json.ts';
import type { FilterLine, RuleStage, RuleVariable } from '../../../ports/rule-type.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { CompiledCondition } from './conditions.ts';
import { describeCondition, describeHostList, describeHostRows } from './describe-condition.ts';
import type { ConditionExplanation, LookedAt, RuleChange, RuleExplanation, RuleName } from './explanation.ts';
import type { HostState } from './host-state.ts';
import { beginRow, type RuleRow } from './list-rules.ts';
import { obstacle } from './operators.ts';
import { FailureCounter } from './rule-failures.ts';
import { RuleLimitError } from './rule-meter.ts';
import { act, matches } from './run-rules.ts';
import type { TracedMap } from './traced-map.ts';

const MAX_LOOKED = 10;
const MAX_ERRORS = 20;

export interface TracedHost {
  readonly state: HostState;
  readonly listener: MessageListener;
  readonly attributes: TracedMap<JsonValue>;
  readonly variables: TracedMap<RuleVariable>;
}

export function ruleName({ type, envelope }: Pick<CompiledRule, 'type' | 'envelope'>): RuleName {
  return { type, id: envelope.id, name: envelope.name };
}

/** Keeps the messages themselves and does not touch the counters of the program: explaining a rule is not a use of it. */
export class MessageListener extends FailureCounter {
  #messages: string[] = [];

  override count(message: string): void {
    if (this.#messages.length < MAX_ERRORS && !this.#messages.includes(message)) this.#messages.push(message);
  }

  /** Returns the messages counted since the last call. */
  take(): readonly string[] {
    if (this.#messages.length === 0) return NONE;
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }
}

const NONE: readonly never[] = [];

/** Runs one rule over a host, as `runRules` does, and reports what happened. */
export function runTraced(rule: CompiledRule, stage: RuleStage, host: TracedHost): RuleExplanation {
  const { state, listener } = host;
  state.failures = listener;
  state.hit = false;
  state.matchingTag = undefined;
  const conditions = explainConditions(rule, state);
  state.matchingTag = undefined;
  const hit = matches(rule, state);
  const changes = hit ? actTraced(rule, host) : NONE;
  const { id, name, sortField } = rule.envelope;
  // Without copies on the way: a host meets thousands of rules.
  return {
    type: rule.type,
    id,
    name,
    stage,
    sortField,
    mode: rule.mode,
    outcome: hit ? 'hit' : 'missed',
    conditions,
    changes,
    errors: listener.take(),
    readsAccounts: rule.usesAccounts,
    endedRun: hit && rule.lastMatch,
  };
}

/** Applies a rule to a row of its list and reports what happened; no conditions are evaluated. */
export function runTracedRow(row: RuleRow, stage: RuleStage, host: TracedHost): RuleExplanation {
  beginRow(row, host.state, host.variables);
  host.state.failures = host.listener;
  const changes = actTraced(row.rule, host);
  return {
    ...ofRow(row, stage),
    outcome: 'hit',
    changes,
    errors: host.listener.take(),
    readsAccounts: row.rule.usesAccounts,
  };
}

/** A row that a later one of its name takes the place of. */
export function replacedRow(row: RuleRow, stage: RuleStage): RuleExplanation {
  return { ...ofRow(row, stage), outcome: 'stopped' };
}

function ofRow({ rule, row }: RuleRow, stage: RuleStage): Omit<RuleExplanation, 'outcome'> {
  return {
    ...ruleName(rule),
    stage,
    sortField: rule.envelope.sortField,
    mode: rule.mode,
    line: row.line,
    conditions: NONE,
    changes: NONE,
    errors: NONE,
    readsAccounts: false,
    endedRun: false,
  };
}

function actTraced(rule: CompiledRule, host: TracedHost): readonly RuleChange[] {
  const { state } = host;
  const changes: RuleChange[] = [];
  const before = state.filter.lines.length;
  const wasIgnored = state.filter.ignored;
  const wishesBefore = state.wishes.length;
  const outcomesBefore = state.outcomes.length;
  state.hit = true;
  listen(host, changes);
  act(rule, state);
  listen(host, undefined);
  state.hit = false;
  for (const line of state.filter.lines.slice(before)) changes.push({ what: 'filter', name: describeLine(line) });
  if (state.filter.ignored && !wasIgnored) changes.push({ what: 'ignored', name: state.hostname });
  for (const { playbook } of state.wishes.slice(wishesBefore)) changes.push({ what: 'playbook', name: playbook });
  for (const { type, value } of state.outcomes.slice(outcomesBefore)) {
    changes.push({ what: 'outcome', name: type, after: value });
  }
  return changes;
}

function listen(host: TracedHost, changes: RuleChange[] | undefined): void {
  if (changes === undefined) {
    host.attributes.listener = undefined;
    host.variables.listener = undefined;
    return;
  }
  host.attributes.listener = (name, before, after) => note(changes, change('attribute', name, before, after));
  host.variables.listener = (name, before, after) =>
    note(changes, change('variable', name, before?.value, after?.value));
}

/** Notes a change, but only once if the rule sets again what it has already set to the same value. */
function note(changes: RuleChange[], change: RuleChange): void {
  const isOwn = changes.some(({ what, name }) => what === change.what && name === change.name);
  if (!isOwn || !sameValue(change.before, change.after)) changes.push(change);
}

function change(
  what: RuleChange['what'],
  name: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): RuleChange {
  return { what, name, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

export function describeLine({ on, text, prefix, show }: FilterLine): string {
  const fit =
    prefix && text === ''
      ? 'all attributes'
      : `attributes whose ${on} ${prefix ? 'starts with' : 'is'} ${JSON.stringify(text)}`;
  return `${show ? 'show' : 'hide'} ${fit}`;
}

/** Explains the conditions. Those after the deciding one were not looked at by the rule either. */
function explainConditions(rule: CompiledRule, state: HostState): readonly ConditionExplanation[] {
  if (rule.outcomesOf !== undefined) return [explainHostList(rule.outcomesOf.get(state.hostname), state)];
  let decided = rule.mode === 'anyway';
  return rule.conditions.map((condition): ConditionExplanation => {
    const { text, template, values } = describeCondition(condition.source);
    const said = { text, wording: { template, values } };
    if (decided) return { ...said, decided: false, looked: [] };
    const explanation = explainCondition(condition, said, state, rule.mode === 'any');
    decided = explanation.decided;
    return explanation;
  });
}

function explainHostList(rows: readonly number[] | undefined, state: HostState): ConditionExplanation {
  const { text, template, values } = rows === undefined ? describeHostList() : describeHostRows(rows);
  const looked = [{ name: 'HOSTNAME', value: state.hostname }];
  return { text, wording: { template, values }, holds: rows !== undefined, decided: true, looked };
}

function explainCondition(
  condition: CompiledCondition,
  said: Pick<ConditionExplanation, 'text' | 'wording'>,
  state: HostState,
  decidesWhen: boolean,
): ConditionExplanation {
  state.matchingTag = undefined;
  const holds = holdsFor(condition, state);
  const needle = condition.needle(state);
  const { matchingTag, matchingValue } = state;
  return {
    ...said,
    holds,
    decided: holds === decidesWhen,
    ...(needle === undefined ? {} : { needle }),
    looked: lookedAt(condition, state),
    ...(matchingTag === undefined || matchingValue === undefined
      ? {}
      : { matched: lookedAtValue(condition, matchingTag, matchingValue) }),
  };
}

/** A comparison that meets a limit fails its rule, which is reported when the rule itself runs. */
function holdsFor(condition: CompiledCondition, state: HostState): boolean {
  try {
    return condition.test(state);
  } catch (error) {
    if (error instanceof RuleLimitError) return false;
    throw error;
  }
}

function lookedAt(condition: CompiledCondition, state: HostState): ConditionExplanation['looked'] {
  if (condition.source.kind === 'host') return [{ name: 'HOSTNAME', value: state.lowerHostname }];
  const looked: LookedAt[] = [];
  try {
    for (const [name, value] of condition.candidates(state)) {
      if (looked.length >= MAX_LOOKED) break;
      looked.push(lookedAtValue(condition, name, value));
    }
  } catch (error) {
    if (!(error instanceof RuleLimitError)) throw error;
  }
  return looked;
}

function lookedAtValue({ source }: CompiledCondition, name: string, value: JsonValue): LookedAt {
  const why = source.kind === 'attribute' ? obstacle(source.value.operator, value) : undefined;
  return { name, value, ...(why !== undefined && { obstacle: why }) };
}
