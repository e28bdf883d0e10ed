import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { addressBelow } from '../calls/below.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { confirm } from '../parts/confirm.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { Panel } from '../parts/panel.tsx';
import { showOnce } from '../parts/show-once.tsx';
import type { ShownGroup } from './group-state.tsx';
import { PolicyForm } from './policy-form.tsx';

interface WebhookProps {
  readonly name: string;
  readonly group: ShownGroup;
}

/** The address of the webhook, the proof that a call needs, and the ways to change both. */
export function Webhook({ name, group }: WebhookProps) {
  const session = useSession();
  const { status, has_token, policy } = group;
  const url = addressBelow(`/api/v1/syncer/cron/trigger/${shellSafe(name)}`);
  const isOff = status.webhook === 'off';
  return (
    <Panel title={t`Webhook`}>
      <Stack gap="xs">
        <Text size="sm">
          {NEEDS[status.webhook]} {isOff && may(session, 'cron/save-group') && t`Edit the group to enable it.`}
        </Text>
        {policy !== null && (
          <Text size="sm">
            {t`The time of a call may be off by ${{ seconds: policy.window_seconds }} s.`}{' '}
            {policy.allow_ips.length === 0
              ? t`It may come from anywhere.`
              : t`It must come from ${{ addresses: policy.allow_ips.join(', ') }}.`}
          </Text>
        )}
        {!isOff && (
          <>
            <CopyLine value={url} label={t`URL`} />
            <CopyLine value={exampleOf(status.webhook, url)} label={t`example call`} />
          </>
        )}
        {may(session, 'cron/set-policy') ? (
          <Group gap="xs">
            <TokenButton name={name} hasToken={has_token} hasPolicy={policy !== null} />
            <Button size="xs" variant="default" onClick={() => openPolicy(name, policy)}>
              {policy === null ? t`Require signatures` : t`Change signature policy`}
            </Button>
            {policy !== null && <RemovePolicyButton name={name} hasToken={has_token} />}
          </Group>
        ) : (
          !isOff && (
            <Text size="sm" c="dimmed">
              <Trans>Only administrators can create tokens and signing secrets.</Trans>
            </Text>
          )
        )}
      </Stack>
    </Panel>
  );
}

/** Returns a segment of a path without characters special to shells: the example calls are meant for pasting into one. */
function shellSafe(name: string): string {
  return encodeURIComponent(name).replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

const NEEDS: Readonly<Record<ShownGroup['status']['webhook'], string>> = {
  off: t`The webhook is off.`,
  user: t`A call needs credentials of a user with the role syncer, because there is neither a token nor a signature policy.`,
  token: t`A call needs the token of the group, or credentials of a user with the role syncer.`,
  signature: t`A call must be signed with the secret of the group; nothing else is accepted.`,
};

function exampleOf(webhook: ShownGroup['status']['webhook'], url: string): string {
  if (webhook === 'token') return `curl -X POST -H "X-Webhook-Token: $TOKEN" ${url}`;
  if (webhook === 'user') return `curl -X POST -u "$MUSTER_USER:$MUSTER_PASSWORD" ${url}`;
  return [
    'now=$(date +%s)',
    `signature=$(printf '%s.' "$now" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`,
    `curl -X POST -H "X-Timestamp: $now" -H "X-Signature-SHA256: sha256=$signature" ${url}`,
  ].join('\n');
}

interface TokenButtonProps {
  readonly name: string;
  readonly hasToken: boolean;
  readonly hasPolicy: boolean;
}

function TokenButton({ name, hasToken, hasPolicy }: TokenButtonProps) {
  const make = useAction('cron/make-token', { changes: ['cron'] });
  const run = (): void =>
    make.mutate(
      { group_name: name },
      {
        onSuccess: ({ token, webhook_enabled }) =>
          showOnce({
            title: t`Webhook token of ${name}`,
            label: t`token`,
            value: token,
            text: [
              t`It is shown only once. It can trigger this group and do nothing else.`,
              ...(webhook_enabled ? [] : [t`The webhook is off: edit the group to enable it.`]),
              ...(hasPolicy
                ? [t`The group accepts only signed calls, so the token works once the policy is removed.`]
                : []),
            ].join(' '),
          }),
      },
    );
  const ask = (): void =>
    confirm({
      title: t`Create a new token for ${name}?`,
      text: t`The current token stops working at once, and cannot be restored: callers of the webhook need the new one.`,
      yes: t`Create new token`,
      onYes: run,
    });
  return (
    <Button size="xs" variant="default" loading={make.isPending} onClick={hasToken ? ask : run}>
      {hasToken ? t`New token` : t`Create token`}
    </Button>
  );
}

function openPolicy(name: string, policy: ShownGroup['policy']): void {
  const id = modals.open({
    title: t`Signature policy of ${name}`,
    size: 'lg',
    children: <PolicyForm name={name} policy={policy} onDone={() => modals.close(id)} />,
  });
}

function RemovePolicyButton({ name, hasToken }: { readonly name: string; readonly hasToken: boolean }) {
  const remove = useAction('cron/set-policy', { done: t`The signature policy is removed`, changes: ['cron'] });
  const ask = (): void =>
    confirm({
      title: t`Remove the signature policy of ${name}?`,
      text: hasToken
        ? t`Calls then need the token of the group instead of a signature. The signing secret is lost: a new policy gets a new one.`
        : t`Calls then need credentials of a user instead of a signature. The signing secret is lost: a new policy gets a new one.`,
      yes: t`Remove the policy`,
      onYes: () => remove.mutate({ group_name: name, remove: true }),
    });
  return (
    <Button size="xs" variant="default" c="red" loading={remove.isPending} onClick={ask}>
      <Trans>Remove policy</Trans>
    </Button>
  );
}
