import * as z from 'zod';
import { changeDocument, storeDocument } from '../../../rules/store-document.ts';
import { defineOperation } from '../../services.ts';
import { CRON_GROUPS } from '../change-group.ts';
import { groupSettingsSchema, withGroupSettings } from '../group-settings.ts';
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
    if (group_name === undefined) {
      await storeDocument(services, caller, CRON_GROUPS, withGroupSettings({}, settings), 'create');
    } else {
      const { record } = await requireGroup(services, caller, group_name);
      await changeDocument(services, caller, CRON_GROUPS, record, (document) => withGroupSettings(document, settings));
    }
    return { status: 'saved' as const, name };
  },
});
