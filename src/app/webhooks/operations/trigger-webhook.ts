import * as z from 'zod';
import { saidBy, worded } from '../../../kit/worded.ts';
import { type Actor, AppError, type Wording } from '../../../ports/index.ts';
import { appendApiLog } from '../../journal/api-log.ts';
import { type Caller, holdsRole, wholeAccountsOf } from '../../kernel/caller.ts';
import type { OperationContext } from '../../kernel/operation.ts';
import { isPending, waitsMessage } from '../../rules/trust/pending.ts';
import { setRunOnceNext } from '../../runs/cron/change-group.ts';
import type { CronGroup, WebhookPolicy } from '../../runs/cron/decisions/group.ts';
import { unknownGroup } from '../../runs/cron/request-run.ts';
import { triggerAnswer, triggerAnswerSchema } from '../../runs/cron/trigger-answer.ts';
import type { RunServices } from '../../runs/services.ts';
import { defineOperation } from '../../runs/services.ts';
import { webhookSecret } from '../webhook-secrets.ts';
import { checkAddress, checkSignature } from '../webhook-signature.ts';
import { isWebhookToken } from '../webhook-token.ts';

/** A role that grants the trigger to users. */
const ROLE = 'syncer';

/** The sender is not authenticated yet, and the body is read only to check its signature. */
const LARGEST_BODY = 64 * 1024;

const inputSchema = z.object({
  group_name: z.string(),
  token: z.string().optional().describe('Header X-Webhook-Token'),
  timestamp: z.string().optional().describe('Header X-Timestamp'),
  signature: z.string().optional().describe('Header X-Signature-SHA256'),
  body: z.instanceof(Uint8Array).default(new Uint8Array()),
});

type TriggerInput = z.output<typeof inputSchema>;

export const triggerCronWebhook = defineOperation({
  name: 'cron/trigger-webhook',
  title: 'Trigger a cron group by webhook',
  description:
    'Makes a cron group run on the next cron pass. The call is signed where the group has a signature policy; else it carries the token of the group, or credentials of a user.',
  effect: 'write',
  // A signature or a token stands for a user, so the operation itself finds out who may.
  roles: 'decided-by-operation',
  weight: 'light',
  at: {
    rest: {
      path: 'POST /syncer/cron/trigger/:group_name',
      body: 'optional',
      bytesMember: 'body',
      maxBodyBytes: LARGEST_BODY,
      anonymous: true,
      headers: {
        token: { name: 'x-webhook-token', description: 'The token of the group, if it has no signature policy' },
        timestamp: { name: 'x-timestamp', description: 'When the call was signed, Unix seconds' },
        signature: {
          name: 'x-signature-sha256',
          description:
            '`sha256=` and the HMAC-SHA256, hexadecimal, over `<timestamp>.<body>` under the secret of the policy',
        },
      },
      statuses: [202],
      errors: ['read_only', 'forbidden', 'not_found', 'conflict', 'too_large'],
    },
  },
  input: inputSchema,
  output: triggerAnswerSchema,
  subject: (input) => input.group_name.slice(0, 200),
  async run(input, context) {
    const { services, caller } = context;
    const name = input.group_name.slice(0, 200);
    // Stays undefined for unknown names, which clients can make up by the thousand.
    let known: string | undefined;
    try {
      const group = await services.cronGroups.find(input.group_name, null);
      if (group === undefined) throw unknownGroup(input.group_name);
      known = name;
      const user = await admit(context, group, input);
      const actor: Actor = user === undefined ? { kind: 'system', name: 'webhook' } : { kind: 'user', name: user.name };
      if (!(await setRunOnceNext(services, group.id, actor, true))) throw unknownGroup(name);
      await appendApiLog(services, { message: triggered(group, user), address: caller.address });
      return triggerAnswer(group, services.clock.now());
    } catch (error) {
      if (error instanceof AppError && error.code !== 'unavailable') {
        const message = worded`Trigger of cron group ${{ group: name }} was refused`;
        await services.anonymousRefusals.log({
          address: caller.address,
          group: known,
          message,
          refusal: saidBy(error),
        });
      }
      throw error;
    }
  },
});

function triggered({ name, webhookPolicy }: CronGroup, user: Caller | undefined): Wording {
  if (user !== undefined) return worded`Cron group ${{ group: name }} was triggered by ${{ user: user.name }}`;
  return webhookPolicy === null
    ? worded`Cron group ${{ group: name }} was triggered by its webhook token`
    : worded`Cron group ${{ group: name }} was triggered by a signed call`;
}

/** Throws unless the call may trigger the group: first its credential, then what the group allows. Answers the user, if it is one. */
async function admit(
  context: OperationContext<RunServices>,
  group: CronGroup,
  input: TriggerInput,
): Promise<Caller | undefined> {
  const { services, caller } = context;
  let user: Caller | undefined;
  refuseUnfit(caller);
  if (group.webhookPolicy !== null) {
    refusePending(services, group);
    await admitSigned(services, caller, group, group.webhookPolicy, input);
  } else if (input.token !== undefined) {
    refuseWithoutWebhook(group);
    refusePending(services, group);
    if (!isWebhookToken(input.token, group.webhookTokenHash)) {
      throw new AppError('unauthenticated', 'the X-Webhook-Token is not the one of this group');
    }
  } else {
    user = await admitUser(context, group);
  }
  refuseWithoutWebhook(group);
  if (!group.enabled) {
    throw new AppError(
      'conflict',
      worded`cron group ${{ name: group.name }} is disabled; enable it before it is triggered`,
    );
  }
  return user;
}

async function admitSigned(
  services: RunServices,
  caller: Caller,
  group: CronGroup,
  policy: WebhookPolicy,
  input: TriggerInput,
): Promise<void> {
  checkAddress(policy, caller.address);
  const now = services.clock.now();
  const secret = await openSecret(services, group, policy);
  const call = { timestamp: input.timestamp, signature: input.signature, body: input.body };
  const { signature, rememberUntil } = checkSignature(call, { secret, windowSeconds: policy.windowSeconds, now });
  // Shared by all groups: if two have the same secret, a call that was made for one of them must not work for the other as well.
  const key = `webhook/${signature}`;
  if (await services.storage.access.useOnce({ key, now, until: rememberUntil })) return;
  throw new AppError('unauthenticated', 'this signature was used before; sign each call again');
}

/** The caller learns nothing about keys: the operators find the reason in the log. */
async function openSecret(services: RunServices, group: CronGroup, policy: WebhookPolicy): Promise<string> {
  try {
    return await webhookSecret(services, group, policy);
  } catch (error) {
    services.logger.error('the signing secret of a cron group cannot be read', { group: group.name, error });
    throw new AppError(
      'unauthenticated',
      'the signing secret of this group cannot be decrypted; "muster cron policy" creates a new one',
    );
  }
}

async function admitUser({ services, identify }: OperationContext<RunServices>, group: CronGroup): Promise<Caller> {
  const caller = await identify();
  if (!holdsRole(caller, [ROLE])) {
    throw new AppError('role_missing', `User has no api_role granting ${caller.path}`);
  }
  if (caller.readOnly) throw new AppError('read_only', `User ${caller.name} may only read; a trigger changes data`);
  const visible = await services.cronGroups.find(group.name, wholeAccountsOf(caller));
  if (visible === undefined) throw unknownGroup(group.name);
  return caller;
}

/** Tokens travel readable, so they need the same transport that passwords need; and no page of another site triggers anything. */
function refuseUnfit({ refusal }: Caller): void {
  if (refusal !== undefined && refusal.code !== 'unauthenticated') throw refusal;
}

/** An imported token or secret grants no access before an administrator confirmed the group. */
function refusePending({ plugins }: RunServices, { record }: CronGroup): void {
  const type = plugins.ruleType(record.type);
  if (type !== undefined && isPending(type, record)) throw new AppError('unauthenticated', waitsMessage(record));
}

function refuseWithoutWebhook(group: CronGroup): void {
  if (group.webhookEnabled) return;
  throw new AppError(
    'forbidden',
    worded`the webhook of cron group ${{ name: group.name }} is not enabled; set webhook_enabled`,
  );
}
