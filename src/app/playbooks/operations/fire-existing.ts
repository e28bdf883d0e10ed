import * as z from 'zod';
import { worded } from '../../../kit/worded.ts';
import { AppError, type RuleRecord } from '../../../ports/index.ts';
import { firesPlaybooks, removeFireMark } from '../../rules/fire-marks.ts';
import { defineOperation, type RunServices } from '../../runs/services.ts';

export const fireExistingMatches = defineOperation({
  name: 'playbooks/fire-existing',
  title: 'Fire for existing matches',
  description:
    'Lets a rule of another installation run its playbooks for the hosts that it matches already. Without this, what it matches in its first pass counts as fired.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'playbook fire-existing',
      description:
        'Let an imported rule, which was not evaluated yet, run its playbooks for the hosts that it matches already. Without this, hosts that it matches in its first pass count as fired, because it has fired in the other installation.',
      summary: 'let an imported rule fire for what it matches already',
      arguments: { rule: { shown: '<rule>', description: 'name or id of the rule' } },
      json: 'answer the rule as JSON',
      examples: ["muster playbook fire-existing 'agent on debian'", 'muster playbook fire --dry-run'],
      view: ({ rule }, print) => print.note(`The next pass runs the playbooks of ${rule} for what it matches already.`),
    },
    page: true,
  },
  input: z.object({ rule: z.string().trim().min(1).describe('Name or id of the rule') }),
  output: z.object({ id: z.string(), rule: z.string(), status: z.literal('fires') }),
  subject: (input) => input.rule,
  async run({ rule }, { services }) {
    const record = await findRule(services, rule);
    if (record === undefined)
      throw new AppError('not_found', worded`there is no rule ${{ rule }} that fires playbooks`);
    if (!(await removeFireMark(services.storage, record.id, services.clock.now()))) {
      throw new AppError(
        'conflict',
        worded`the rule ${{ name: record.name }} was evaluated here before, or was written here; for hosts that count as fired use "muster playbook run"`,
      );
    }
    return { id: record.id, rule: record.name, status: 'fires' as const };
  },
});

async function findRule({ plugins, storage }: RunServices, rule: string): Promise<RuleRecord | undefined> {
  for (const { id: type } of plugins.ruleTypes().filter(firesPlaybooks)) {
    const record = (await storage.rules.get(type, rule)) ?? (await storage.rules.findByName(type, rule));
    if (record !== undefined) return record;
  }
  return undefined;
}
