import { isDeepStrictEqual } from 'node:util';
import { brokenText } from '../../kit/names/template-text.ts';
import type { HostRecord } from '../../ports/index.ts';
import type { HostExplanation, Origin, RuleExplanation, RuleName } from '../rules/engine/explanation.ts';
import { originText } from '../rules/explanation/words.ts';
import type { InventoryDifference } from './decisions/compared-inventories.ts';

/** The cause of our side of a difference. */
export interface Cause {
  /** A sentence's end, such as `label from account lab`. */
  readonly text: string;
  /** The rule that made it, if one did. */
  readonly rule?: RuleName;
}

/** Known without looking at the host. */
export function plainCause({ theirs, ours }: InventoryDifference): Cause | undefined {
  const isBroken =
    typeof theirs === 'string' && typeof ours === 'string' && theirs !== ours && brokenText(theirs) === ours;
  return isBroken ? { text: 'template text of data, which is broken by a space' } : undefined;
}

/** Why ours is as it is, by the explanation of the host; `account` is the one that owns it. */
export function causeOf(
  { variable = '', how }: InventoryDifference,
  explanation: HostExplanation,
  { account, setters }: { readonly account: string | null; readonly setters: Setters },
): Cause {
  const made = explanation.variables.find(({ name }) => name === variable);
  if (made !== undefined) {
    return made.withheld === undefined ? byOrigin(made.origin, account) : { text: made.withheld };
  }
  const attribute = explanation.attributes.find(({ name }) => name === variable);
  if (attribute !== undefined && how === 'missing') {
    if (attribute.withheld !== undefined) return { text: attribute.withheld };
    return attribute.filter === undefined
      ? { text: 'no filter rule shows the attribute' }
      : byRule('a filter rule hides the attribute', attribute.filter.rule);
  }
  if (attribute !== undefined && how === 'added') {
    return attribute.filter === undefined
      ? { text: 'no filter rule says what is shown, so everything is' }
      : byRule('a filter rule shows the attribute', attribute.filter.rule);
  }
  if (attribute !== undefined) return byOrigin(attribute.origin, account);
  const remover = explanation.rules.find((rule) =>
    rule.changes.some(({ name, after }) => name === variable && after === undefined),
  );
  if (remover !== undefined) return byRule('a rule removes the attribute', remover);
  const setter = explanation.rules.find(({ type, id }) => setters.get(variable)?.has(`${type} ${id}`));
  return setter === undefined ? { text: 'no source and no rule sets it' } : byRule(whyUnset(setter), setter);
}

/** Rules by the variable or attribute that their outcomes name, as `type id`. */
export type Setters = ReadonlyMap<string, ReadonlySet<string>>;

function whyUnset({ outcome, errors }: RuleExplanation): string {
  if (outcome === 'missed') return 'the rule that sets it does not hit';
  if (outcome !== 'hit') return 'the rule that sets it does not run';
  return errors.length > 0 ? `the rule that sets it fails: ${errors[0]}` : 'the rule that sets it leaves it out';
}

/** Why the inventory has no host of the name. */
export function absenceCause(host: HostRecord | undefined, explanation: HostExplanation | undefined): Cause {
  if (explanation?.row !== undefined && explanation.leftOut !== undefined) return { text: explanation.leftOut };
  if (host === undefined) return { text: 'no host of this name is stored' };
  if (host.archive !== null) return { text: 'the host is archived' };
  if (explanation?.ignoredBy !== undefined) return byRule('a filter rule takes the host out', explanation.ignoredBy);
  if (explanation?.leftOut !== undefined) return { text: explanation.leftOut };
  return { text: host.isObject ? 'it is an object and no host' : 'the inventory does not have it' };
}

function byOrigin(origin: Origin, account: string | null): Cause {
  return origin.kind === 'rule' ? byRule('a rule', origin) : { text: originText(origin, account) };
}

function byRule(text: string, { type, id, name }: RuleName): Cause {
  return { text, rule: { type, id, name } };
}

/**
 * Whether our value may hold a secret of an account. Explanations are made without secrets, so a value found in both holds none;
 * one found only in the inventory is withheld.
 */
export function mayBeSecret({ variable = '', ours }: InventoryDifference, { result }: HostExplanation): boolean {
  if (ours === undefined) return false;
  const explained = Object.hasOwn(result, variable) ? result[variable] : undefined;
  if (explained === undefined) return true;
  return !isDeepStrictEqual(explained, ours) && brokenText(JSON.stringify(explained)) !== JSON.stringify(ours);
}
