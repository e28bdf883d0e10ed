import type { HostExplanation, RuleChange, RuleExplanation } from '../rules/engine/explanation.ts';

/**
 * Why a rule that hits a host changes nothing in what is served of it, as words that follow "because". `stored` is what the
 * document that it would replace does there now.
 */
export function unchangedReasons(
  rule: RuleExplanation,
  host: HostExplanation,
  stored: RuleExplanation | undefined,
): readonly string[] {
  if (rule.errors.length > 0) return [`it fails: ${rule.errors[0]}`];
  if (host.ignoredBy !== undefined && host.ignoredBy.id !== rule.id) {
    return [`the filter "${host.ignoredBy.name}" takes the hosts out`];
  }
  if (host.leftOut !== undefined) return [`the inventory leaves the hosts out: ${host.leftOut}`];
  if (rule.changes.length === 0) return ['the hosts have these values already'];
  if (stored?.outcome === 'hit' && JSON.stringify(stored.changes) === JSON.stringify(rule.changes)) {
    return ['the rule as it is stored does the same already'];
  }
  return [...new Set(rule.changes.map((change) => reasonOf(change, rule, host)))];
}

function reasonOf(change: RuleChange, rule: RuleExplanation, host: HostExplanation): string {
  if (change.what === 'playbook') return 'it runs playbooks, which changes no value';
  if (change.what === 'attribute') return attributeReason(change.name, rule, host);
  if (change.what === 'variable') return variableReason(change.name, rule, host);
  if (change.what === 'filter') return 'what it shows or hides is decided by other filters, or is on none of the hosts';
  return 'the result is the same';
}

function attributeReason(name: string, rule: RuleExplanation, host: HostExplanation): string {
  const attribute = host.attributes.find((one) => one.name === name);
  if (attribute === undefined) return `a later rule removes ${name}`;
  const { origin, shown, filter, replaced, withheld } = attribute;
  if (origin.kind === 'rule' && origin.id !== rule.id) return `the rule "${origin.name}" sets ${name} after it`;
  if (replaced) return `a variable ${name} takes the place of the attribute`;
  if (!shown) {
    if (filter !== undefined) return `the filter "${filter.rule.name}" hides ${name}`;
    return `${name} is not among what ${filtersOf(host)} shows`;
  }
  if (withheld !== undefined) return `${name} is left out: ${withheld}`;
  return `${name} has that value already`;
}

function filtersOf({ rules }: HostExplanation): string {
  const names = rules.filter(({ stage, outcome }) => stage === 'filter' && outcome === 'hit').map(({ name }) => name);
  return names.length === 1 ? `the filter "${names[0]}"` : 'any filter';
}

function variableReason(name: string, rule: RuleExplanation, host: HostExplanation): string {
  const variable = host.variables.find((one) => one.name === name);
  if (variable === undefined) return `a later rule removes ${name}`;
  const { origin, withheld } = variable;
  if (origin.kind === 'rule' && origin.id !== rule.id) return `the rule "${origin.name}" sets ${name} after it`;
  if (withheld !== undefined) return `${name} is left out: ${withheld}`;
  return `${name} has that value already`;
}
