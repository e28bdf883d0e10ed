import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Grid, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { AccountLink } from '../parts/account-link.tsx';
import { Fact } from '../parts/facts.tsx';
import { Command } from '../parts/value.tsx';
import { When } from '../parts/when.tsx';
import type { Host } from './host.ts';
import { InventorySections } from './inventory-sections.tsx';
import { kindText } from './kind-text.ts';
import { LabelsPanel } from './labels/labels-panel.tsx';
import { NO_ACCOUNT } from './no-account.ts';
import { LastChanges } from './sheet/last-changes.tsx';
import { NearHosts } from './sheet/near-hosts.tsx';
import { ValueSheet } from './sheet/value-sheet.tsx';
import { writeRefusal } from './write-refusal.ts';

/** The facts that an operator needs first: the data of the host itself, then the effect of rules. */
export function OverviewTab({ host }: { readonly host: Host }) {
  const session = useSession();
  const isWriter = may(session, 'hosts/save-host');
  const isServed = host.archived === null;
  const refusal = writeRefusal(host);
  const mayEdit = isWriter && refusal === undefined;
  return (
    <Stack gap="lg">
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <LabelsPanel host={host} mayEdit={mayEdit} />
          {isWriter && refusal !== undefined && (
            <Text size="sm" c="dimmed" mt="xs">
              {refusal}
            </Text>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Stack gap="lg">
            <Paper withBorder p="md">
              <Facts host={host} />
              <KnownBy keys={host.known_by} />
            </Paper>
            {isServed && session.cmdb_mode && <NearHosts hostname={host.hostname} />}
            <LastChanges hostname={host.hostname} />
            {!session.cmdb_mode && may(session, 'system/show-config') && <RelationsOff />}
          </Stack>
        </Grid.Col>
      </Grid>
      {isServed && may(session, 'hosts/explain-host') && (
        <ValueSheet hostname={host.hostname} labels={Object.keys(host.labels).length} />
      )}
      <InventorySections host={host} mayEdit={mayEdit} />
    </Stack>
  );
}

/** Explains the absence of relations to users who can enable them. */
function RelationsOff() {
  return (
    <Text size="xs" c="dimmed">
      <Trans>
        Relations between hosts are off. The setting <Command>CMDB_MODE</Command> turns them on, with the next start of
        the service.
      </Trans>
    </Text>
  );
}

function Facts({ host }: { readonly host: Host }) {
  const { account } = host;
  return (
    <SimpleGrid component="dl" cols={2} m={0} verticalSpacing="xs">
      <Fact label={t`Account`}>{account === null ? NO_ACCOUNT : <AccountName account={account} />}</Fact>
      <Fact label={t`Kind`}>{kindText(host)}</Fact>
      <Fact label={t`Last seen`}>
        <When at={host.last_seen} />
      </Fact>
      <Fact label={t`Last update`}>
        <When at={host.last_update} />
      </Fact>
      <Fact label={t`Known since`}>
        <When at={host.created_at} />
      </Fact>
    </SimpleGrid>
  );
}

/** Shows the keys that identify the host elsewhere; nothing if its name is the only one. */
function KnownBy({ keys }: { readonly keys: Host['known_by'] }) {
  if (keys.length === 0) return null;
  return (
    <SimpleGrid component="dl" cols={1} m={0} mt="md" verticalSpacing="xs" aria-label={t`Keys`}>
      {keys.map(({ name, value, accounts }) => {
        const givers = accounts.join(', ');
        return (
          <Fact key={`${name}=${value}`} label={t`${name}, from ${givers}`}>
            {value}
          </Fact>
        );
      })}
    </SimpleGrid>
  );
}

/** Links to the account for users who may see accounts. */
function AccountName({ account: { name, type, enabled } }: { readonly account: NonNullable<Host['account']> }) {
  const account = <AccountLink name={name} />;
  if (!enabled) {
    return (
      <Trans>
        {account}, type {type}, disabled
      </Trans>
    );
  }
  return (
    <Trans>
      {account}, type {type}
    </Trans>
  );
}
