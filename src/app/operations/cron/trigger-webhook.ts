import * as z from 'zod';
import { type Actor, AppError, documentPlace } from '../../../ports/index.ts';
import { appendApiLog } from '../../cron/api-log.ts';
import { CRON_GROUPS, setRunOnceNext } from '../../cron/change-group.ts';
import { checkAddress, checkSignature } from '../../cron/webhook-signature.ts';
import { isWebhookToken } from '../../cron/webhook-token.ts';
import type { CronGroup, WebhookPolicy } from '../../domain/cron/group.ts';
import { type Caller, holdsRole } from '../../execution/caller.ts';
import { defineOperation } from '../../execution/operation.ts';
import type { Services } from '../../services.ts';
import { isWaiting, waitsMessage } from '../../trust/waiting.ts';
import { unknownGroup } from './request-run.ts';
import { triggerAnswer, triggerAnswerSchema } from './trigger-answer.ts';

/** A role that grants the trigger to users. */
const ROLE = 'syncer';

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
  input: inputSchema,
  output: triggerAnswerSchema,
  subject: (input) => input.group_name.slice(0, 200),
  async run(input, { services, caller }) {
    const name = input.group_name.slice(0, 200);
    try {
      const group = await admit(services, caller, input);
      const isUser = caller.refusal === undefined;
      const actor: Actor = isUser ? { kind: 'user', name: caller.name } : { kind: 'system', name: 'webhook' };
      if (!(await setRunOnceNext(services, group.id, actor, true))) throw unknownGroup(name);
      const by = group.webhookPolicy !== null ? 'a signed call' : isUser ? caller.name : 'its webhook token';
      await appendApiLog(services, { message: `Cron group ${name} was triggered by ${by}`, address: caller.address });
      return triggerAnswer(group);
    } catch (error) {
      if (error instanceof AppError && error.code !== 'unavailable' && error.code !== 'rate_limited') {
        const message = `Trigger of cron group ${name} was refused`;
        await appendApiLog(services, { message, address: caller.address, refusal: error.message });
      }
      throw error;
    }
  },
});

/** The group, when the call may trigger it: unknown, then credential, then what the group allows. */
async function admit(services: Services, caller: Caller, input: TriggerInput): Promise<CronGroup> {
  const group = await services.cronGroups.find(input.group_name, null);
  if (group === undefined) throw unknownGroup(input.group_name);
  if (group.webhookPolicy !== null) {
    refuseInsecure(caller);
    refuseWaiting(services, group);
    await admitSigned(services, caller, group, group.webhookPolicy, input);
  } else if (input.token !== undefined) {
    refuseInsecure(caller);
    refuseWithoutWebhook(group);
    refuseWaiting(services, group);
    if (!isWebhookToken(input.token, group.webhookTokenHash)) {
      throw new AppError('unauthenticated', 'the X-Webhook-Token is not the one of this group');
    }
  } else {
    await admitUser(services, caller, group);
  }
  refuseWithoutWebhook(group);
  if (!group.enabled) {
    throw new AppError('conflict', `cron group ${group.name} is disabled; enable it before it is triggered`);
  }
  return group;
}

async function admitSigned(
  services: Services,
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
  const key = `webhook/${group.id}/${signature}`;
  if (await services.storage.access.useOnce({ key, now, until: rememberUntil })) return;
  throw new AppError('unauthenticated', 'this signature was used before; sign each call anew');
}

/** Whoever calls learns nothing about keys: the operators find the reason in the log. */
async function openSecret({ secrets, logger }: Services, group: CronGroup, policy: WebhookPolicy): Promise<string> {
  try {
    return await secrets.open(
      policy.secretCrypted,
      documentPlace(CRON_GROUPS, group.id, 'webhook_policy.secret_crypted'),
    );
  } catch (error) {
    logger.error('the signing secret of a cron group cannot be read', { group: group.name, error });
    throw new AppError(
      'unauthenticated',
      'the signing secret of this group cannot be read; "muster cron policy" makes a new one',
    );
  }
}

async function admitUser(services: Services, caller: Caller, group: CronGroup): Promise<void> {
  if (caller.refusal !== undefined) throw caller.refusal;
  if (!holdsRole(caller, [ROLE])) {
    throw new AppError('role_missing', `User has no api_role granting ${caller.path}`);
  }
  if (caller.readOnly) throw new AppError('read_only', `User ${caller.name} may only read; a trigger changes data`);
  const visible = await services.cronGroups.find(group.name, caller.scope);
  if (visible === undefined) throw unknownGroup(group.name);
}

/** Tokens travel readable, so they need the same transport that passwords need. */
function refuseInsecure({ refusal }: Caller): void {
  if (refusal?.code === 'insecure_transport') throw refusal;
}

/** A token or a secret that somebody imported opens nothing before an administrator confirmed the group. */
function refuseWaiting({ plugins }: Services, { record }: CronGroup): void {
  const type = plugins.ruleType(record.type);
  if (type !== undefined && isWaiting(type, record)) throw new AppError('unauthenticated', waitsMessage(record));
}

function refuseWithoutWebhook(group: CronGroup): void {
  if (group.webhookEnabled) return;
  throw new AppError('forbidden', `the webhook of cron group ${group.name} is not enabled; set webhook_enabled`);
}
