import { dottedMembers } from '../../../kit/json/dotted-members.ts';
import { isAnsibleVariable, saysWhere } from '../../../kit/names/ansible-names.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';
import type { PlaybookWish, RuleHost, RuleVariable } from '../../../ports/rule-type.ts';
import type { TargetOutcome } from '../../../ports/target.ts';
import { AttributeFilter, BothFilters, type ShownAttributes, type ShownObject } from './attribute-filter.ts';
import { templateValue } from './import-marks.ts';
import { NestedLabels } from './nested-labels.ts';
import type { FailureCounter } from './rule-failures.ts';
import { RuleMeter } from './rule-meter.ts';

/** Cost of one template step, in steps of the meter. */
const TEMPLATE_STEP = 100;
/** Cost of looking at the name of an attribute. */
const NAME_STEP = 16;

export interface Vouched {
  readonly name: string;
  readonly value: JsonValue | RuleVariable;
}

/** The rule of a target that is at work. */
interface OutcomeDecider {
  readonly type: string;
  readonly rule: TargetOutcome['rule'];
}

export interface DecidedOutcome extends OutcomeDecider {
  readonly value: JsonValue;
}

const NO_OBJECTS: readonly ShownObject[] = [];
const NO_LABELS: JsonObject = {};

/** Why a rule does not do all that it says. */
export const RULE_WAITS = 'the rule, or an account that it shows, waits for an administrator to confirm it';

/**
 * The host that is being evaluated. One object serves all hosts of a program in turn: evaluation is synchronous, and an
 * allocation a rule would cost more than most rules do. It is the scope of the templates too.
 */
export class HostState implements RuleHost {
  hostname = '';
  attributes = new Map<string, JsonValue>();
  variables = new Map<string, RuleVariable>();
  /** The filter made by the rules that are for every consumer. */
  readonly projectFilter = new AttributeFilter();
  /** The filter made by the rules of the target. Both decide: neither shows what the other hides. */
  readonly targetFilter = new AttributeFilter();
  readonly bothFilters = new BothFilters(this.projectFilter, this.targetFilter);
  /** The one that rules fill now. */
  filter = this.projectFilter;
  /** The labels that the host came with. */
  labels: JsonObject = NO_LABELS;
  readonly meter = new RuleMeter();
  /** Playbooks that stage `playbooks` wants to run. */
  wishes: PlaybookWish[] = [];
  /** Decisions of stage `target`. */
  outcomes: DecidedOutcome[] = [];
  #decider: OutcomeDecider | undefined = undefined;
  matchingTag: string | undefined = undefined;
  matchingValue: JsonValue | undefined = undefined;
  locals: ReadonlyMap<string, JsonValue> | undefined = undefined;
  /** True while a rule that hit does its work: only then the first match is visible to templates. */
  hit = false;
  failures: FailureCounter | undefined = undefined;
  /** True since a rule broke off on this host: what it would have done is not known. */
  faulted = false;
  /** Values and variables that confirmed documents set under names of their own. */
  vouched: Vouched[] = [];
  /** True while a rule runs that no administrator wrote or confirmed. */
  pending = false;
  /** The scope that templates read. */
  readonly scope = {
    get: (name: string): unknown => this.#variable(name),
    attributes: (): ReadonlyMap<string, JsonValue> => this.attributes,
    nested: (name: string): JsonObject | undefined => {
      return this.meter.allows(this.attributes.size * NAME_STEP) ? dottedMembers(this.attributes, name) : undefined;
    },
    allows: (steps: number): boolean => this.meter.allows(steps * TEMPLATE_STEP),
  };
  /** The same where a text is rendered as far as it goes: what is not defined is empty. */
  readonly lenientScope = { ...this.scope, lenient: true };
  #lowerHostname: string | undefined = undefined;
  readonly #nestedLabels = new NestedLabels();
  /** The names of objects that labels of the host are members of, once they were asked for. */
  #objects: ReadonlySet<string> | undefined = undefined;
  readonly #readsMarks: boolean;

  /** `readsMarks` is false if no template uses what the service knows of a host's imports. */
  constructor({ readsMarks = true }: { readonly readsMarks?: boolean } = {}) {
    this.#readsMarks = readsMarks;
  }

  begin(hostname: string, attributes: Map<string, JsonValue>, variables: Map<string, RuleVariable>): void {
    this.hostname = hostname;
    this.#lowerHostname = undefined;
    this.#objects = undefined;
    this.labels = NO_LABELS;
    this.attributes = attributes;
    this.variables = variables;
    this.projectFilter.clear();
    this.targetFilter.clear();
    this.filter = this.projectFilter;
    this.meter.begin();
    if (this.wishes.length > 0) this.wishes = [];
    if (this.outcomes.length > 0) this.outcomes = [];
    this.hit = false;
    this.failures = undefined;
    this.faulted = false;
    if (this.vouched.length > 0) this.vouched = [];
  }

  vouch(name: string, value: JsonValue | RuleVariable): void {
    if (!this.pending) this.vouched.push({ name, value });
    else if (isAnsibleVariable(name) && !saysWhere(name)) this.report(`${name} is not set: ${RULE_WAITS}`);
  }

  /** Names whose vouched values are still in effect: a value that data or another rule overwrote is not vouched for. */
  vouchedNames(): readonly string[] {
    const names: string[] = [];
    for (const { name, value } of this.vouched) {
      if ((this.variables.get(name) ?? this.attributes.get(name)) === value) names.push(name);
    }
    return names;
  }

  get lowerHostname(): string {
    this.#lowerHostname ??= this.hostname.toLowerCase();
    return this.#lowerHostname;
  }

  /** Whether labels of the host are members of an object of this name. */
  hasObject(name: string): boolean {
    const objects = this.#namesOfObjects();
    return objects.size > 0 && objects.has(name);
  }

  object(name: string): JsonObject | undefined {
    return this.hasObject(name) ? this.scope.nested(name) : undefined;
  }

  /** Whether a filter takes the host out. */
  get ignored(): boolean {
    return this.projectFilter.ignored || this.targetFilter.ignored;
  }

  /** Returns the objects of nested labels that a filter shows. */
  shownObjects(filter: ShownAttributes): readonly ShownObject[] {
    if (this.#namesOfObjects().size === 0) return NO_OBJECTS;
    return filter.objects((name) => (this.attributes.has(name) ? undefined : this.object(name)));
  }

  wantPlaybook(wish: PlaybookWish): void {
    this.wishes.push(wish);
  }

  outcome(value: JsonValue): void {
    if (this.#decider === undefined) throw new Error('its type decides on outcomes and is not of stage target');
    if (value === undefined) throw new Error('its type decided on nothing as an outcome');
    this.outcomes.push({ ...this.#decider, value });
  }

  /** Attributes the decisions of `work` to this rule. */
  deciding<T>(decider: OutcomeDecider, work: () => T): T {
    this.#decider = decider;
    try {
      return work();
    } finally {
      this.#decider = undefined;
    }
  }

  report(message: string): void {
    this.failures?.count(message, this.hostname);
  }

  #namesOfObjects(): ReadonlySet<string> {
    this.#objects ??= this.#nestedLabels.objectsOf(this.labels);
    return this.#objects;
  }

  #variable(name: string): unknown {
    if (name === 'HOSTNAME') return this.hostname;
    if (this.hit && this.matchingTag !== undefined) {
      if (name === 'FIRST_MATCHING_TAG') return this.matchingTag;
      if (name === 'FIRST_MATCHING_VALUE') return this.matchingValue;
    }
    const local = this.locals?.get(name);
    if (local !== undefined) return local;
    const value = this.attributes.get(name);
    if (value === undefined) return this.object(name);
    return this.#readsMarks ? templateValue(name, value) : value;
  }
}
