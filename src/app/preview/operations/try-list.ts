import * as z from 'zod';
import type { JsonObject } from '../../../ports/index.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import type { TriedRow } from '../../rules/engine/program-input.ts';
import { defineOperation } from '../../rules/services.ts';
import { triedRule, triedRuleInput } from '../tried-rule.ts';

const rowSchema = z.object({
  line: z.int().describe('Line of the list, counted from 1'),
  hostname: z.string().describe('Empty when the row names none and makes nothing'),
  state: z
    .enum(['made', 'replaces', 'runs', 'replaced', 'left', 'nameless'])
    .describe(
      '`replaces`: the row takes the place of a stored host with the name. `replaced`: a later row of the name counts. `runs`: playbooks run for the stored host. `left`: it has no effect.',
    ),
  why: z.string().optional().describe('Why the row has no effect'),
  variables: z
    .custom<JsonObject>()
    .meta({ type: 'object', description: 'Variables that the inventory serves; secrets are masked' }),
  playbooks: z.array(z.string()),
  errors: z.array(z.string()),
});

export const tryList = defineOperation({
  name: 'rules/try-list',
  title: 'Try list',
  description:
    'Results of a rule over a pasted list for the first rows, as if it were stored and enabled: the hosts with their variables, or the playbooks. Stores nothing.',
  effect: 'read',
  roles: ['rules'],
  weight: 'preview',
  at: { page: true },
  input: triedRuleInput.extend({
    limit: z.int().min(1).max(100).default(20).describe('The most rows in the answer'),
  }),
  output: z.object({
    total: z.int().describe('How many rows the rule takes; 0 when it does not run over a list in this inventory'),
    rows: z.array(rowSchema),
  }),
  async run({ limit, ...request }, { services, caller }) {
    const { type, id, project, changed } = await triedRule(request, { services, caller });
    const program = await services.evaluators.withDocuments(changed, project);
    const { rows, total } = program.tryRows(type.id, id ?? '', limit);
    const names = [...new Set(rows.map(({ hostname }) => hostname))].filter((hostname) => hostname !== '');
    const stored = await services.storage.hosts.visible(names, hostScopeOf(caller));
    return { total, rows: rows.map((row) => triedRow(row, stored)) };
  },
});

type Row = z.infer<typeof rowSchema>;

function triedRow(row: TriedRow, stored: ReadonlySet<string>): Row {
  const { line, hostname, fires, explanation } = row;
  const rules = explanation?.rules ?? [];
  const changes = rules.flatMap((rule) => rule.changes);
  return {
    line,
    hostname,
    ...stateOf(row, stored.has(hostname)),
    variables: fires || explanation === undefined ? {} : explanation.result,
    playbooks: changes.filter(({ what }) => what === 'playbook').map(({ name }) => name),
    errors: rules.flatMap(({ errors }) => errors),
  };
}

function stateOf({ isReplaced, fires, explanation }: TriedRow, isStored: boolean): Pick<Row, 'state' | 'why'> {
  if (explanation === undefined) return { state: 'nameless' };
  if (isReplaced) return { state: 'replaced' };
  if (fires) return isStored ? { state: 'runs' } : { state: 'left', why: 'there is no active host of this name.' };
  if (!explanation.included) return { state: 'left', why: explanation.leftOut ?? '' };
  return { state: isStored ? 'replaces' : 'made' };
}
