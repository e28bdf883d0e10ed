import * as z from 'zod';
import { detailOf, saidAt, worded } from '../../../../kit/worded.ts';
import { AppError } from '../../../../ports/index.ts';
import { jobOf } from '../../../kernel/jobs/job-of.ts';
import { changeDocument, storeDocument } from '../../../rules/transfer/store-document.ts';
import { defineOperation } from '../../services.ts';
import { CRON_GROUPS } from '../change-group.ts';
import { type GroupSettings, groupSettingsSchema, withGroupSettings } from '../group-settings.ts';
import { requireGroup } from '../request-run.ts';

export const saveCronGroup = defineOperation({
  name: 'cron/save-group',
  title: 'Save a cron group',
  description:
    'Creates a cron group, or changes the settings of one; a new name renames it. Other members of its document stay.',
  effect: 'write',
  roles: ['rules'],
  acrossAccounts: true,
  weight: 'light',
  at: { page: true },
  input: z.object({
    group_name: z.string().min(1).optional().describe('The group to change; absent creates a new one'),
    settings: groupSettingsSchema,
  }),
  output: z.object({ status: z.literal('saved'), name: z.string() }),
  subject: (input) => input.group_name ?? input.settings.name,
  async run({ group_name, settings }, { services, caller }) {
    const { name } = settings;
    if (settings.enabled) requireAccountsOfJobs(services.plugins, settings);
    if (group_name === undefined) {
      await storeDocument(services, caller, CRON_GROUPS, withGroupSettings({}, settings), 'create');
    } else {
      const { record } = await requireGroup(services, caller, group_name);
      await changeDocument(services, caller, CRON_GROUPS, record, (document) => withGroupSettings(document, settings));
    }
    return { status: 'saved' as const, name };
  },
});

/**
 * A job that lacks its account would fail in the night. Unknown jobs may belong to a plugin that is not there just now.
 * @throws AppError `invalid_input`, with the places of such jobs
 */
function requireAccountsOfJobs(plugins: Parameters<typeof jobOf>[0], { jobs }: GroupSettings): void {
  const details = jobs.flatMap(({ command, account }, index) => {
    const type = account === null ? jobOf(plugins, command) : undefined;
    if (type?.account !== 'required') return [];
    return [detailOf(`settings.jobs.${index}.account`, worded`the job ${{ job: type.id }} needs an account`)];
  });
  const [first] = details;
  if (first !== undefined) throw new AppError('invalid_input', saidAt(first), { details });
}
