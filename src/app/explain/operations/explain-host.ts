import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError, type HostRecord, type Labels } from '../../../ports/index.ts';
import { accountNames } from '../../hosts/account-names.ts';
import { hostnameSchema } from '../../hosts/host-schemas.ts';
import { unknownHost } from '../../hosts/operations/get-host.ts';
import { hostScopeOf, isRestricted } from '../../kernel/caller.ts';
import type { HostExplanation, Origin } from '../../rules/engine/explanation.ts';
import { projectOf } from '../../rules/project-of.ts';
import {
  defineOperation,
  type ExplainedTarget,
  type GroupMembership,
  type RuleServices,
} from '../../rules/services.ts';
import { concerning, type ExplainedHost, explainedHostSchema } from '../explained-host.ts';
import { explanationView, obstacleNote, ruleTestOutcome, ruleTestView } from '../views/host.ts';

export const explainHost = defineOperation({
  name: 'hosts/explain-host',
  title: 'Explain host',
  description: 'Why a host has the attributes and variables it has: which source or rule gave each, and what decided.',
  effect: 'read',
  roles: ['objects'],
  weight: 'preview',
  at: {
    command: [
      {
        words: 'host explain',
        description:
          'Answer "why does this host have this value?": for every value the source or rule that gave it and what it took the place of, for every rule whether it hit and why.',
        summary: 'show the origin of every value, and why each rule hit or not',
        arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
        options: {
          attributes: {
            flags: '--attribute <name>',
            description: 'only this attribute or variable (may be repeated)',
            parse: 'list',
          },
          project: {
            flags: '--project <name>',
            description: 'explain the inventory of this project instead of automation',
          },
          target: {
            flags: '--target <account>',
            description: 'explain what an export to this account makes of the host, by the rules of its target too',
          },
        },
        json: 'answer the whole explanation as JSON',
        examples: [
          'muster host explain web01.example.org',
          'muster host explain web01.example.org --attribute site',
          'muster host explain web01.example.org --project backup --json',
          'muster host explain web01.example.org --target inventory-system',
        ],
        view: explanationView,
        outcome: obstacleNote,
      },
      {
        words: 'rules test',
        description:
          'Show what the rules do to one host: which hit, which condition decided, what each changed, what went wrong.',
        summary: 'show what the rules do to one host',
        arguments: { hostname: { shown: '<hostname>', description: 'name of the host' } },
        options: {
          project: {
            flags: '--project <name>',
            description: 'the rules of this project instead of those of no project',
          },
          target: {
            flags: '--target <account>',
            description: 'the rules that an export to this account runs, those of its target too',
          },
        },
        json: 'answer rules, groups and served values as JSON',
        answered: ({ hostname, provider, target, explanation: { included, groups, rules, result, outcomes } }) => ({
          hostname,
          provider,
          included,
          groups,
          rules,
          result,
          ...(target === undefined ? {} : { target, outcomes: outcomes ?? {} }),
        }),
        examples: ['muster rules test web01.example.org', 'muster rules test web01.example.org --project backup'],
        view: ruleTestView,
        outcome: ruleTestOutcome,
      },
    ],
    rest: { path: 'GET /objects/:hostname/explain', query: ['project', 'target'], errors: ['not_found'] },
    tool: {
      name: 'explain_host',
      rest: 'Ask for few at once with attributes, and for whole values with get_host and fields',
    },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    project: z.string().optional().describe('Explains the inventory of this project instead of provider automation'),
    target: z
      .string()
      .optional()
      .describe('Explains an export to this account, whose options name the project, with the rules of its target'),
    attributes: z.array(z.string()).default([]).describe('Only these attributes and variables; empty: all of them'),
  }),
  output: explainedHostSchema,
  async run({ hostname, project, target: account, attributes }, { services, caller, signal }) {
    const host = await services.storage.hosts.get(hostname, hostScopeOf(caller));
    if (account !== undefined && project !== undefined) {
      throw new AppError('invalid_input', worded`an account names its project itself: leave out project, or target`);
    }
    // Rows belong to no account and no template: who is restricted to some sees neither them nor that there are any.
    if (host === undefined && isRestricted(caller)) throw unknownHost(hostname);
    const target = account === undefined ? undefined : await services.targets.explained(account, caller);
    const name = target !== undefined ? target.project : project === 'ansible' ? null : projectOf(project);
    const program = await services.evaluators.preview(name, target?.type);
    // Rows of pasted lists are in inventories only.
    const row = isRestricted(caller) || target !== undefined ? undefined : program.explainRow(hostname);
    const obstacle = await services.evaluators.obstacle(name, target?.type);
    // Labels that other accounts give to a stored host do not apply to a row that replaces it.
    const contributions = row === undefined ? await services.storage.hosts.contributions(hostname) : [];
    const { scope } = caller;
    const accountName = accountNames(await services.accounts.list(scope), scope);
    const layers = contributions.map(({ accountId, precedence, owner, labels }) => ({
      accountId,
      account: accountName(accountId),
      precedence,
      owner,
      labels: labels.value,
    }));
    const explanation = row ?? (host && withContributors(program.explain(host), layers));
    if (explanation === undefined) throw unknownHost(hostname);
    const owner = host?.accountId == null ? null : accountName(host.accountId);
    return {
      hostname,
      provider: name ?? 'automation',
      projects: [...(await services.evaluators.projects())],
      account: row === undefined ? owner : null,
      ...(row === undefined || host === undefined ? {} : { replaces: { account: owner } }),
      targets: [...(await services.targets.accounts(caller))],
      ...(target === undefined || host === undefined
        ? {}
        : { target: await ofTarget(services, target, host, explanation) }),
      explanation: concerning(explanation, attributes),
      groups: [
        ...(await groupsOf(explanation, async (groups) =>
          target !== undefined || host?.isObject === true
            ? host && ofExport(groups, host, target)
            : services.inventoryGroups.memberships(
                name ?? 'automation',
                { hostname, groups, record: row === undefined ? host : undefined },
                { caller, signal },
              ),
        )),
      ],
      contributions: layers
        .filter(({ accountId }) => scope === null || scope.includes(accountId))
        .map(({ accountId: _, ...layer }) => layer),
      ...(obstacle === undefined ? {} : { obstacle }),
    };
  },
});

type ExplainedGroup = ExplainedHost['groups'][number];

/** The variable that puts a host into groups. */
const GROUPS = 'ansible_groups';

/** Those that an export has a host in; it knows of none above them. */
function ofExport(
  groups: readonly string[],
  host: HostRecord,
  target: ExplainedTarget | undefined,
): readonly GroupMembership[] {
  const said = host.isObject ? {} : (target?.groupRules?.(host) ?? {});
  const bySelf = new Set(groups);
  return [
    ...groups.map((group) => ({ group, above: null, rule: null })),
    ...Object.entries(said).flatMap(([group, rule]) => (bySelf.has(group) ? [] : [{ group, above: null, rule }])),
  ];
}

/** Those that its variables name, or all where `membershipsOf` knows them. */
async function groupsOf(
  { included, groups, attributes, variables }: HostExplanation,
  membershipsOf: (groups: readonly string[]) => Promise<readonly GroupMembership[] | undefined>,
): Promise<readonly ExplainedGroup[]> {
  if (!included) return [];
  const said = [...variables, ...attributes].find(({ name }) => name === GROUPS);
  const bySelf = said?.origin ?? null;
  const memberships = await membershipsOf(groups);
  if (memberships === undefined) return groups.map((group) => ({ group, above: null, origin: bySelf }));
  return memberships.map(({ group, above, rule }) => {
    const origin: Origin | null = rule === null ? null : { kind: 'rule', ...rule };
    return { group, above, origin: above === null ? (origin ?? bySelf) : origin };
  });
}

/** Returns the outcome for the host in the target. */
async function ofTarget(
  { evaluators }: RuleServices,
  { account, type, project, takes = 'hosts', wanted }: ExplainedTarget,
  host: HostRecord,
  { included }: HostExplanation,
): Promise<NonNullable<ExplainedHost['target']>> {
  const known = { account, type };
  if (takes !== 'all' && (takes === 'objects') !== host.isObject) {
    return { ...known, wanted: [], problem: `it takes ${takes === 'hosts' ? 'no objects' : 'objects only'}` };
  }
  if (wanted === undefined) return { ...known, wanted: null };
  if (!included) return { ...known, wanted: [] };
  try {
    const program = await evaluators.uncounted(project, type);
    return { ...known, wanted: [...wanted(host, program.evaluate(host, 'export'))] };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...known, wanted: [], problem: error.message };
  }
}

interface LabelLayer {
  readonly account: string;
  readonly labels: Labels;
}

/** Names the account of each label that several accounts could have given: the first layer that has it wins. */
function withContributors(explanation: HostExplanation, layers: readonly LabelLayer[]): HostExplanation {
  if (layers.length === 0) return explanation;
  const named = (origin: Origin, name: string): Origin => {
    const winner = origin.kind === 'label' ? layers.find(({ labels }) => Object.hasOwn(labels, name)) : undefined;
    return winner === undefined ? origin : { kind: 'label', account: winner.account };
  };
  return {
    ...explanation,
    attributes: explanation.attributes.map((attribute) => ({
      ...attribute,
      origin: named(attribute.origin, attribute.name),
      steps: attribute.steps.map((step) => ({ ...step, origin: named(step.origin, attribute.name) })),
    })),
  };
}
