import * as z from 'zod';
import { readExtraVariables } from '../../../kit/extra-variables/extra-variables.ts';
import { detailOf, saidAt, worded } from '../../../kit/worded.ts';
import { counted } from '../../../kit/words/amounts.ts';
import { AppError, type ExtraVariables } from '../../../ports/index.ts';
import { namesWith } from '../../hosts/bulk-names.ts';
import { hostScopeOf } from '../../kernel/caller.ts';
import { projectOf } from '../../rules/project-of.ts';
import { defineOperation } from '../../runs/services.ts';
import { playbookRunAnswer, playbookRunSchema } from '../run-answer.ts';
import { chosenPlaybook, hostsOfRun, runHostsInput } from '../run-hosts.ts';
import { runPlaybook as run } from '../run-playbook.ts';

export const runPlaybook = defineOperation({
  name: 'playbooks/run-playbook',
  title: 'Run of a playbook',
  description:
    'Runs a playbook of the manifest, for one host, those of a search or a group, or a whole inventory, and answers when it has ended.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: { page: true },
  input: runHostsInput.extend({
    check_mode: z.boolean().default(false).describe('Only reports what would change'),
    extra_vars: z.string().optional().describe('Further variables: a JSON object, or name=value pairs'),
  }),
  output: playbookRunSchema,
  subject: (input) => subjectOf(input),
  async run({ check_mode, extra_vars, ...input }, context) {
    const { services, caller, signal, progress, actsOn } = context;
    const extraVariables = readVariables(extra_vars);
    const { host, search, group } = input;
    const call = { services, caller, signal, progress, operation: 'playbooks/run-playbook' };
    const limited = (search ?? group) === undefined ? undefined : await hostsOfRun(input, call);
    const { playbook, provider } = limited ?? (await chosenPlaybook(input, call));
    const hostnames = limited?.hostnames;
    if (hostnames !== undefined) {
      actsOn(`${subjectOf(input)}: ${counted(hostnames.length, 'host')}: ${namesWith(hostnames)}`);
    }
    const program = await services.evaluators.forProject(projectOf(provider));
    let bytes = 0;
    const ended = await run(services, {
      playbook: playbook.file,
      provider,
      hostname: host ?? null,
      ...(hostnames !== undefined && {
        limit: { ...(search !== undefined && { search }), ...(group !== undefined && { group }), hostnames },
      }),
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

function subjectOf({ playbook, host, search, group }: z.output<typeof runHostsInput>): string {
  const parts = [playbook, host, search, group === undefined ? undefined : `group ${group}`];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** Whoever may run a playbook may also say what it shall evaluate. */
function readVariables(text: string | undefined): ExtraVariables | null {
  if (text === undefined || text.trim() === '') return null;
  const read = readExtraVariables(text);
  if ('values' in read) return { values: read.values, templates: true };
  const detail = detailOf('extra_vars', read.problem);
  throw new AppError('invalid_input', worded`extra_vars ${{ problem: saidAt(detail) }}`, { details: [detail] });
}
