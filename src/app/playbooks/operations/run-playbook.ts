import * as z from 'zod';
import { readExtraVariables } from '../../../kit/extra-variables/extra-variables.ts';
import { detailOf, saidAt, worded } from '../../../kit/worded.ts';
import { AppError, type ExtraVariables } from '../../../ports/index.ts';
import { providerName } from '../../inventory/provider-name.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { projectOf } from '../../rules/project-of.ts';
import { defineOperation } from '../../runs/services.ts';
import { requirePlaybook } from '../manifest.ts';
import { playbookRunAnswer, playbookRunSchema } from '../run-answer.ts';
import { runPlaybook as run } from '../run-playbook.ts';

export const runPlaybook = defineOperation({
  name: 'playbooks/run-playbook',
  title: 'Run of a playbook',
  description: 'Runs a playbook of the manifest, for one host or a whole inventory, and answers when it has ended.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: z.object({
    playbook: z.string().trim().min(1).describe('Its file, or its name'),
    host: z.string().trim().min(1).optional().describe('Only for this host; without it for the whole inventory'),
    provider: z.string().trim().min(1).optional().describe('The inventory provider; without it that of the manifest'),
    check_mode: z.boolean().default(false).describe('Only reports what would change'),
    extra_vars: z.string().optional().describe('Further variables: a JSON object, or name=value pairs'),
  }),
  output: playbookRunSchema,
  subject: ({ playbook, host }) => (host === undefined ? playbook : `${playbook} ${host}`),
  async run({ playbook: wanted, host, provider: chosen, check_mode, extra_vars }, context) {
    const { services, caller, signal, progress } = context;
    const extraVariables = readVariables(extra_vars);
    const playbook = requirePlaybook(await services.playbooks.list(), wanted);
    const provider = providerName(chosen ?? playbook.inventory);
    const providers = await services.inventories.names();
    if (!providers.includes(provider)) {
      throw new AppError(
        'not_found',
        worded`there is no inventory provider ${{ provider }}; known ones: ${{ known: providers.join(', ') }}`,
      );
    }
    const program = await services.evaluators.forProject(projectOf(provider));
    let bytes = 0;
    const ended = await run(services, {
      playbook: playbook.file,
      provider,
      hostname: host ?? null,
      checkMode: check_mode,
      source: 'user',
      startedBy: caller.name,
      extraVariables,
      scope: hostScopeOf(caller),
      signal,
      mask: (text) => program.masked(text),
      onOutput(output) {
        bytes += output.length;
        progress({ done: bytes, unit: 'bytes', output });
      },
    });
    return playbookRunAnswer(ended);
  },
});

/** Whoever may run a playbook may also say what it shall evaluate. */
function readVariables(text: string | undefined): ExtraVariables | null {
  if (text === undefined || text.trim() === '') return null;
  const read = readExtraVariables(text);
  if ('values' in read) return { values: read.values, templates: true };
  const detail = detailOf('extra_vars', read.problem);
  throw new AppError('invalid_input', worded`extra_vars ${{ problem: saidAt(detail) }}`, { details: [detail] });
}
