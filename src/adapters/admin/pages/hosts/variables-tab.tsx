import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CallError } from '../calls/call.ts';
import { useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Command } from '../parts/value.tsx';
import type { Host } from './host.ts';
import { ValueTree } from './value-tree.tsx';

const route = getRouteApi('/hosts/$hostname');

/** Shows the variables that each inventory provider serves for the host, as playbooks get them. */
export function VariablesTab({ host }: { readonly host: Host }) {
  const refusal = useSession().refused['inventory/render-inventory'];
  if (refusal !== undefined) {
    const { whom } = refusal;
    return (
      <Text>
        <Trans>Inventories are for {whom}. Explain shows what rules make of the host.</Trans>
      </Text>
    );
  }
  return <Providers hostname={host.hostname} />;
}

function Providers({ hostname }: { readonly hostname: string }) {
  const { provider = 'automation' } = route.useSearch();
  const navigate = route.useNavigate();
  const providers = useAnswer('inventory/list-providers', {});
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        <Trans>
          Variables that playbooks get for this host from each inventory provider, as{' '}
          <Command>muster inventory &lt;provider&gt; --host=&lt;hostname&gt;</Command> prints it.
        </Trans>
      </Text>
      <Answer of={providers}>
        {(data) => (
          <Accordion
            variant="contained"
            keepMounted={false}
            value={provider === '-' ? null : provider}
            onChange={(name) =>
              void navigate({
                search: (now) => ({ ...now, provider: name ?? '-' }),
                replace: true,
                resetScroll: false,
              })
            }
          >
            {data.providers.map(({ name }) => (
              <Accordion.Item key={name} value={name}>
                <Accordion.Control>{name}</Accordion.Control>
                <Accordion.Panel>
                  <Variables provider={name} hostname={hostname} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        )}
      </Answer>
    </Stack>
  );
}

function Variables({ provider, hostname }: { readonly provider: string; readonly hostname: string }) {
  const variables = useAnswer('inventory/render-inventory', { provider, host: hostname });
  if (variables.error instanceof CallError && variables.error.code === 'not_found') {
    return (
      <Text c="dimmed" size="sm">
        <Trans>This host is not in inventory {provider}.</Trans>
      </Text>
    );
  }
  return (
    <Answer of={variables}>
      {(data) => <ValueTree value={data as Record<string, unknown>} label={t`Variables from ${provider}`} />}
    </Answer>
  );
}
