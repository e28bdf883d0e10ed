import * as z from 'zod';
import type { Labels } from '../../../../ports/index.ts';
import { hostnameSchema } from '../../../hosts/host-schemas.ts';
import { unknownHost } from '../../../hosts/operations/get-host.ts';
import { hostScopeOf, isRestricted } from '../../../kernel/caller.ts';
import type { HostExplanation, Origin } from '../../engine/explanation.ts';
import { projectOf } from '../../project-of.ts';
import { defineOperation } from '../../services.ts';
import { concerning, explainedHostSchema } from '../explained-host.ts';
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
          'Answer "why has this host this value?": for every value the source or rule that gave it and what it took the place of, for every rule whether it hit and why.',
        summary: 'say for every value where it came from, and why each rule hit or not',
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
            synonym: '--provider <name>',
          },
        },
        json: 'answer the whole explanation as JSON',
        examples: [
          'muster host explain web01.example.org',
          'muster host explain web01.example.org --attribute site',
          'muster host explain web01.example.org --project backup --json',
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
        },
        json: 'answer rules, groups and served values as JSON',
        answered: ({ hostname, provider, explanation: { included, groups, rules, result } }) => ({
          hostname,
          provider,
          included,
          groups,
          rules,
          result,
        }),
        examples: ['muster rules test web01.example.org', 'muster rules test web01.example.org --project backup'],
        view: ruleTestView,
        outcome: ruleTestOutcome,
      },
    ],
    rest: { path: 'GET /objects/:hostname/explain', query: ['project'], errors: ['not_found'] },
    page: true,
  },
  input: z.object({
    hostname: hostnameSchema,
    project: z.string().optional().describe('Explains the inventory of this project instead of provider automation'),
    attributes: z.array(z.string()).default([]).describe('Only these attributes and variables; empty: all of them'),
  }),
  output: explainedHostSchema,
  async run({ hostname, project, attributes }, { services, caller }) {
    const host = await services.storage.hosts.get(hostname, hostScopeOf(caller));
    const name = project === 'ansible' ? null : projectOf(project);
    // Rows belong to no account and no template: who is restricted to some sees neither them nor that there are any.
    if (host === undefined && isRestricted(caller)) throw unknownHost(hostname);
    const program = await services.evaluators.preview(name);
    const row = isRestricted(caller) ? undefined : program.explainRow(hostname);
    const obstacle = await services.evaluators.obstacle(name);
    // What others say about the labels of a stored host says nothing about a row in its place.
    const contributions = row === undefined ? await services.storage.hosts.contributions(hostname) : [];
    const { scope } = caller;
    const accounts = new Map((await services.accounts.list(scope)).map((account) => [account.id, account.name]));
    const accountName = (id: string): string => accounts.get(id) ?? (scope === null ? id : OTHER_ACCOUNT);
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
      explanation: concerning(explanation, attributes),
      contributions: layers
        .filter(({ accountId }) => scope === null || scope.includes(accountId))
        .map(({ accountId: _, ...layer }) => layer),
      ...(obstacle === undefined ? {} : { obstacle }),
    };
  },
});

/** What who is restricted to accounts reads instead of the name of another one, whose labels show where they win. */
const OTHER_ACCOUNT = 'another account';

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
