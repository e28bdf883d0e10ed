import { documentPlace } from '../../ports/index.ts';
import { CRON_GROUPS } from '../runs/cron/change-group.ts';
import type { CronGroup, WebhookPolicy } from '../runs/cron/decisions/group.ts';
import type { RunServices } from '../runs/services.ts';

type SecretServices = Pick<RunServices, 'secrets' | 'cronGroups'>;

/** The secret that calls of the group are signed with. Throws when it does not open. */
export function webhookSecret(
  { secrets }: Pick<RunServices, 'secrets'>,
  group: CronGroup,
  policy: WebhookPolicy,
): Promise<string> {
  return secrets.open(policy.secretCrypted, documentPlace(CRON_GROUPS, group.id, 'webhook_policy.secret_crypted'));
}

/** True when the webhook of another group has this secret: a call that is signed for one of them would be good at the other. */
export async function isSecretOfAnother(services: SecretServices, id: string, secret: string): Promise<boolean> {
  return (await openSecrets(services)).some((other) => other.id !== id && other.secret === secret);
}

/** Names of groups whose webhooks have one secret. */
export async function groupsWithOneSecret(services: SecretServices): Promise<readonly (readonly string[])[]> {
  const names = new Map<string, string[]>();
  for (const { name, secret } of await openSecrets(services)) names.set(secret, [...(names.get(secret) ?? []), name]);
  return [...names.values()].filter((groups) => groups.length > 1);
}

/** The secrets of all groups; those that do not open are left out, and no call can be signed with them. */
async function openSecrets(services: SecretServices) {
  const found: { readonly id: string; readonly name: string; readonly secret: string }[] = [];
  for (const group of await services.cronGroups.list(null)) {
    if (group.webhookPolicy === null) continue;
    const secret = await webhookSecret(services, group, group.webhookPolicy).catch(() => undefined);
    if (secret !== undefined) found.push({ id: group.id, name: group.name, secret });
  }
  return found;
}
