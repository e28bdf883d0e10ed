import * as z from 'zod';
import { changeDocument } from '../../rules/transfer/store-document.ts';
import { CRON_GROUPS } from '../../runs/cron/change-group.ts';
import { requireGroup } from '../../runs/cron/request-run.ts';
import { defineOperation } from '../../runs/services.ts';
import { tokenView } from '../views/webhook.ts';
import { newWebhookToken } from '../webhook-token.ts';

export const makeCronToken = defineOperation({
  name: 'cron/make-token',
  title: 'New webhook token of a cron group',
  description:
    'Creates the token by which a webhook triggers the group. It is shown once; the previous one is no longer valid.',
  effect: 'write',
  roles: ['admin'],
  weight: 'light',
  at: {
    command: {
      words: 'cron token',
      description: 'Create a new webhook token for a cron group and show it once. The previous one is no longer valid.',
      arguments: { group_name: { shown: '<group>', description: 'name of the cron group' } },
      json: 'answer the token as JSON',
      examples: [
        'muster cron token nightly',
        'curl -X POST -H "X-Webhook-Token: $TOKEN" https://muster.example.org/api/v1/syncer/cron/trigger/nightly',
      ],
      view: tokenView,
    },
    page: true,
  },
  input: z.object({ group_name: z.string().min(1) }),
  output: z.object({ group: z.string(), token: z.string(), webhook_enabled: z.boolean(), has_policy: z.boolean() }),
  subject: (input) => input.group_name,
  async run({ group_name }, { services, caller }) {
    const { record, webhookEnabled, webhookPolicy } = await requireGroup(services, caller, group_name);
    const { token, hash } = newWebhookToken();
    await changeDocument(
      services,
      caller,
      CRON_GROUPS,
      record,
      (document) => ({
        ...document,
        webhook_token_hash: hash,
      }),
      { keepsConfirmation: true },
    );
    return { group: group_name, token, webhook_enabled: webhookEnabled, has_policy: webhookPolicy !== null };
  },
});
