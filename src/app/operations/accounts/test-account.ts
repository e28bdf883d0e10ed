import * as z from 'zod';
import { openAccount, sourceTypeOf } from '../../accounts/account-source.ts';
import { defineOperation } from '../../execution/operation.ts';
import { previewSource } from '../../import-run/preview-source.ts';
import { guarded } from '../../plugin-host/guard.ts';
import { inventorySchema, labelsSchema } from '../../schemas.ts';
import { accountNameSchema, requireAccount } from './show-account.ts';

export const testAccount = defineOperation({
  name: 'accounts/test-account',
  title: 'Test account',
  description: 'Reads the first three records of the source and shows what they would become. Stores nothing.',
  effect: 'read',
  roles: ['admin'],
  weight: 'heavy',
  input: z.object({ name: accountNameSchema }),
  output: z.object({
    account: z.string(),
    type: z.string(),
    records: z.array(
      z.object({
        position: z.string(),
        name: z.string(),
        hostname: z.string().optional(),
        labels: labelsSchema.optional(),
        inventory: inventorySchema.optional(),
        problem: z.string().optional().describe('Why the record would be skipped'),
      }),
    ),
  }),
  subject: (input) => input.name,
  async run({ name }, { services, caller, signal }) {
    const account = await requireAccount(services, caller, name);
    const { pluginId } = sourceTypeOf(services, account);
    const opened = await openAccount(services, account);
    const call = {
      pluginId,
      what: `reading account ${name}`,
      timeoutSeconds: services.config.PLUGIN_TIMEOUT_SECONDS,
      signal,
    };
    const records = await guarded(call, (inner) =>
      previewSource(
        opened.source,
        { options: opened.common, hostnameField: opened.hostnameField, template: opened.template },
        { signal: inner },
      ),
    );
    return { account: name, type: account.type, records: records.map((record) => ({ ...record })) };
  },
});
