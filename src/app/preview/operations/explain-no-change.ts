import * as z from 'zod';
import { hostScopeOf } from '../../kernel/caller.ts';
import type { HostExplanation, RuleChange, RuleExplanation } from '../../rules/engine/explanation.ts';
import { defineOperation } from '../../rules/services.ts';
import { NamedAttributes } from '../named-attributes.ts';
import { triedRule, triedRuleInput } from '../tried-rule.ts';

const BATCH_SIZE = 100;
const TIMEOUT_MS = 8000;
/** How many matched hosts are asked for their reasons: the rest has the same ones, or more than anyone would read. */
const MOST_ASKED = 500;
const MOST_REASONS = 10;

export const explainNoChange = defineOperation({
  name: 'rules/explain-no-change',
  title: 'Why a rule changes nothing',
  description:
    'Whether a rule hits no host, or why what it does on those that it hits is not seen in the inventory. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: triedRuleInput,
  output: z.object({
    matches: z.number().int().describe('Hosts that it hits'),
    hosts: z.number().int().describe('Hosts that were looked at'),
    is_exact: z.boolean().describe('False when time ran out before all hosts were checked'),
    unknown_attributes: z
      .array(z.string())
      .describe('Attributes that its conditions name and that none of the hosts has'),
    reasons: z.array(
      z.object({
        text: z.string().describe('Words that follow "because"'),
        hosts: z.number().int(),
        first: z.string(),
      }),
    ),
  }),
  async run(request, { services, caller, signal }) {
    const { type, id, document, project, changed } = await triedRule(request, { services, caller });
    const target = type.evaluation?.target;
    const program = await services.evaluators.withDocuments(changed, project, target);
    const stored = await services.evaluators.preview(project, target);
    const named = new NamedAttributes(document);
    const reasons = new Map<string, { hosts: number; first: string }>();
    const counted = { matches: 0, hosts: 0, is_exact: true };
    const end = Date.now() + TIMEOUT_MS;
    const filter = { scope: hostScopeOf(caller), kind: 'hosts', state: 'active' } as const;
    for await (const batch of services.storage.hosts.scan(filter, BATCH_SIZE)) {
      signal.throwIfAborted();
      if (Date.now() > end) {
        counted.is_exact = false;
        break;
      }
      for (const host of batch) {
        const explained = program.explain(host);
        named.saw(explained);
        const rule = explained.rules.find((one) => one.type === type.id && one.id === id);
        if (rule?.outcome !== 'hit') continue;
        counted.matches++;
        if (counted.matches > MOST_ASKED) continue;
        const before = stored.explain(host).rules.find((one) => one.type === type.id && one.id === id);
        for (const text of unchangedReasons(rule, explained, before)) {
          const known = reasons.get(text);
          if (known !== undefined) known.hosts++;
          else if (reasons.size < MOST_REASONS) reasons.set(text, { hosts: 1, first: host.hostname });
        }
      }
      counted.hosts += batch.length;
    }
    const byHosts = [...reasons].sort(([, left], [, right]) => right.hosts - left.hosts);
    return {
      ...counted,
      unknown_attributes: named.missing,
      reasons: byHosts.map(([text, { hosts, first }]) => ({ text, hosts, first })),
    };
  },
});

/**
 * Why a rule that hits a host changes nothing in what is served of it, as words that follow "because". `stored` is what the
 * document that it would replace does there now.
 */
function unchangedReasons(
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
