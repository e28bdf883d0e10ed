import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { AccountForm } from './account-form.tsx';
import { type Account, type AccountType, typeNamed } from './option-fields.ts';

export function EditAccountPage({ name }: { readonly name: string }) {
  const session = useSession();
  const account = useAnswer('accounts/show-account', { name });
  const types = useAnswer('accounts/list-account-types', {});
  const above = [
    { to: '/accounts', label: t`Accounts` },
    { to: `/accounts/${encodeURIComponent(name)}`, label: name },
  ];
  return (
    <Page title={t`Edit ${name}`} above={above} isNarrow>
      {!may(session, 'accounts/set-account') ? (
        <Text>
          <Trans>You may only read, so you cannot change accounts.</Trans>
        </Text>
      ) : (
        <Answer of={account} whereMissing={<TextLink size="sm" to="/accounts">{t`All accounts`}</TextLink>}>
          {(stored) => <Answer of={types}>{({ types: all }) => <EditAccount account={stored} types={all} />}</Answer>}
        </Answer>
      )}
    </Page>
  );
}

function EditAccount({ account, types }: { readonly account: Account; readonly types: readonly AccountType[] }) {
  const { name } = account;
  const navigate = useNavigate();
  const accounts = useAnswer('accounts/show-accounts', {});
  const save = useAction('accounts/set-account', {
    done: t`Account ${name} is saved.`,
    changes: ['accounts'],
    showsProblem: true,
  });
  const others = (accounts.data?.accounts ?? []).map((other) => other.name).filter((other) => other !== name);
  return (
    <AccountForm
      type={typeNamed(types, account.type)}
      account={account}
      others={others}
      error={save.error}
      isBusy={save.isPending}
      submit={t`Save`}
      onSubmit={(changes, mayLeave) =>
        save.mutate(
          { name, ...changes },
          {
            onSuccess() {
              mayLeave();
              void navigate({ to: '/accounts/$name', params: { name } });
            },
          },
        )
      }
    />
  );
}
