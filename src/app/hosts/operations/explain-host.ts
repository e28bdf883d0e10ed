import * as z from 'zod';
import type { Labels } from '../../../ports/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import type { HostExplanation, Origin } from '../../rules/engine/explanation.ts';
import { hostnameSchema, labelsSchema } from '../host-schemas.ts';
import { unknownHost } from './get-host.ts';

const explanationSchema = z.custom<HostExplanation>().meta({
  type: 'object',
  description:
    'For every attribute and variable its value, origin and earlier values; for every rule whether it hit, and the deciding condition with both sides. Secrets are masked.',
});

export const explainHost = defineOperation({
  name: 'hosts/explain-host',
  title: 'Explain host',
  description: 'Why a host has the attributes and variables it has: which source or rule gave each, and what decided.',
  effect: 'read',
  roles: ['objects'],
  weight: 'preview',
  at: { rest: { path: 'GET /objects/:hostname/explain', query: ['project'], errors: ['not_found'] }, page: true },
  input: z.object({
    hostname: hostnameSchema,
    project: z.string().optional().describe('Explains the inventory of this project instead of provider automation'),
  }),
  output: z.object({
    hostname: z.string(),
    provider: z.string(),
    projects: z.array(z.string()).describe('Which projects there are to explain, by name'),
    account: z.string().nullable(),
    explanation: explanationSchema,
    obstacle: z
      .string()
      .optional()
      .describe('Why no run uses these rules: not all that are enabled can be evaluated as written'),
    contributions: z
      .array(
        z.object({
          account: z.string(),
          precedence: z.number(),
          owner: z.boolean(),
          labels: labelsSchema,
        }),
      )
      .describe('Who gives which labels, highest precedence first; empty when only the owner does'),
  }),
  async run({ hostname, project }, { services, caller }) {
    const host = await services.storage.hosts.get(hostname, caller.scope);
    if (host === undefined) throw unknownHost(hostname);
    const name = project === undefined || project === 'automation' || project === 'ansible' ? null : project;
    const program = await services.evaluators.preview(name);
    const obstacle = await services.evaluators.obstacle(name);
    const contributions = await services.storage.hosts.contributions(hostname);
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
    return {
      hostname,
      provider: name ?? 'automation',
      projects: [...(await services.evaluators.projects())],
      account: host.accountId === null ? null : accountName(host.accountId),
      explanation: withContributors(program.explain(host), layers),
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
