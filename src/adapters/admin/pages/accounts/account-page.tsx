import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isUploaded } from '../../../../kit/words/uploads.ts';
import { has, may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { confirm } from '../parts/confirm.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { WaitingNote } from '../parts/waiting.tsx';
import { PlansOfAccount } from '../plans/plans-of-account.tsx';
import { ActiveRuns } from '../runs/active-runs.tsx';
import { AccountSettings } from './account-settings.tsx';
import { ApiUse } from './api-use.tsx';
import { AccountTest, testOf } from './connection-test.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { ExportRun } from './export-run.tsx';
import { ImportRun } from './import-run.tsx';
import { IncompleteNote } from './incomplete.tsx';
import { LastRun } from './last-run.tsx';
import { type Account, type AccountType, typeNamed } from './option-fields.ts';
import { OwnedHosts } from './owned-hosts.tsx';
import { PublishedFiles } from './published-files.tsx';
import { Schedule } from './schedule.tsx';
import { UndoneNote } from './undone.tsx';

export function AccountPage({ name }: { readonly name: string }) {
  const account = useAnswer('accounts/show-account', { name });
  const types = useAnswer('accounts/list-account-types', {});
  const above = [{ to: '/accounts', label: t`Accounts` }];
  if (account.data === undefined) {
    return (
      <Page title={name} above={above}>
        <Answer of={account} whereMissing={<TextLink size="sm" to="/accounts">{t`All accounts`}</TextLink>}>
          {() => null}
        </Answer>
      </Page>
    );
  }
  return <ShownAccount account={account.data} types={types.data?.types ?? []} above={above} />;
}

interface ShownAccountProps {
  readonly account: Account;
  readonly types: readonly AccountType[];
  readonly above: readonly { readonly to: string; readonly label: string }[];
}

function ShownAccount({ account, types, above }: ShownAccountProps) {
  const session = useSession();
  const navigate = useNavigate();
  const { name, kind, enabled } = account;
  const typeName = account.type;
  const type = typeNamed(types, typeName);
  // Message of a run that was started and has ended here, whose result already shows the reason.
  const [reported, setReported] = useState<string>();
  const remove = useAction('accounts/delete-account', {
    done: t`Account ${name} is deleted.`,
    changes: ['accounts'],
    showsProblem: true,
  });
  return (
    <Page
      title={name}
      above={above}
      description={
        <Group gap="xs">
          <span>{type === undefined ? typeName : `${type.title} (${type.id})`}</span>
          <Badge size="sm" variant="light" color={enabled ? 'green' : 'gray'}>
            {enabled ? t`enabled` : t`disabled`}
          </Badge>
        </Group>
      }
      actions={
        may(session, 'accounts/set-account') && (
          <>
            <Switched account={account} />
            <ButtonLink
              to="/accounts/$name/edit"
              params={{ name }}
              variant="default"
              leftSection={<IconPencil size={16} />}
            >
              <Trans>Edit</Trans>
            </ButtonLink>
            <DeleteAccount
              account={account}
              isPending={remove.isPending}
              onDelete={(wanted) =>
                remove.mutate({ name, ...wanted }, { onSuccess: () => void navigate({ to: '/accounts' }) })
              }
            />
          </>
        )
      }
    >
      {account.waits && <WaitingNote rule_type="accounts" name={name} />}
      {account.undone !== null && <UndoneNote of={account.undone} />}
      {account.incomplete !== null && (
        <IncompleteNote
          of={account.incomplete}
          isExport={account.last_run?.kind === 'export'}
          outcome={account.last_run?.outcome ?? 'failed'}
          isReasonSaid={reported !== undefined && reported !== '' && account.incomplete.message.includes(reported)}
        />
      )}
      {may(session, 'runs/list-active') && <ActiveRuns account={name} />}
      {remove.isError && <Problem error={remove.error} />}
      <Facts label={t`Account`}>
        {kind !== 'target' && kind !== 'channel' && kind !== 'sign_in' && (
          <Fact label={account.is_object ? t`Objects (${{ type: account.object_type }})` : t`Hosts`}>
            <OwnedHosts account={name} hosts={account.hosts} isObject={account.is_object} />
          </Fact>
        )}
        {kind !== 'channel' && kind !== 'sign_in' && (
          <Fact label={t`Last run`}>
            <LastRun of={account} isReasonSaid={account.incomplete !== null} />
          </Fact>
        )}
        {(kind === 'source' || kind === 'both' || kind === 'target') && (
          <Schedule
            account={name}
            command={kind === 'target' ? 'Export' : 'Import'}
            isUploaded={kind === 'source' && isUploaded(account.options.path ?? '')}
          />
        )}
        {account.last_run !== null && may(session, 'syncer/list-logs') && (
          <Fact label={t`Details`}>
            <TextLink to="/logs" search={{ source: `${account.last_run.kind}:${name}` }} inherit>
              <Trans>Log of its runs</Trans>
            </TextLink>
          </Fact>
        )}
      </Facts>
      {kind === 'unknown' && (
        <Text c="red" size="sm">
          <Trans>
            No plugin provides the type {typeName}, so nothing can be imported or exported. See System for what became
            of the plugin.
          </Trans>
        </Text>
      )}
      {(kind === 'source' || kind === 'both') && (
        <Section title={t`Import`}>
          <ImportRun account={account} onEnd={setReported} />
        </Section>
      )}
      {(kind === 'target' || kind === 'both') && has(session, 'exports/export-account') && (
        <Section title={t`Export`}>
          <ExportRun account={account} hasObjects={type?.objects !== undefined} onEnd={setReported} />
        </Section>
      )}
      {kind === 'target' && may(session, 'exports/list-published') && <PublishedFiles account={name} />}
      {type?.objects !== undefined && may(session, 'plans/list-plans') && (
        <Section title={t`Plans`}>
          <PlansOfAccount account={account} />
        </Section>
      )}
      {kind === 'api' && (
        <Section title={t`Writing hosts`}>
          <ApiUse account={name} enabled={enabled} />
        </Section>
      )}
      {kind !== 'api' && kind !== 'unknown' && has(session, testOf(kind)) && (
        <Section title={t`Connection`}>
          <AccountTest account={account} />
        </Section>
      )}
      <Section title={t`Settings`}>
        <AccountSettings account={account} type={type} />
      </Section>
    </Page>
  );
}

/** Enables or disables; an account that is disabled takes no hosts, which can be undone by the same button. */
function Switched({ account: { name, enabled } }: { readonly account: Account }) {
  const change = useAction('accounts/set-account', {
    done: enabled ? t`Account ${name} is disabled.` : t`Account ${name} is enabled.`,
    changes: ['accounts'],
  });
  const set = () => change.mutate({ name, enabled: !enabled });
  return (
    <Button
      variant="default"
      loading={change.isPending}
      onClick={() =>
        enabled
          ? confirm({
              title: t`Disable account ${name}?`,
              text: t`Nothing is imported, exported or written through it until it is enabled again. Its hosts stay.`,
              yes: t`Disable`,
              onYes: set,
            })
          : set()
      }
    >
      {enabled ? t`Disable` : t`Enable`}
    </Button>
  );
}
