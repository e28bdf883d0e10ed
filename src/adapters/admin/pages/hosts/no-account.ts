import { t } from '@lingui/core/macro';
import type { SessionAnswer } from '../../routes.ts';

/** Shown in place of a host's account. */
export const NO_ACCOUNT = t({ message: 'none', context: 'account' });

/** Returns advice for when no account accepts hosts from people: not all users can add one, or would see it. */
export function noAccount(session: Pick<SessionAnswer, 'accounts' | 'refused'>): {
  readonly text: string;
  readonly mayAdd: boolean;
} {
  const mayAdd = session.refused['accounts/add-account'] === undefined;
  const what =
    session.accounts === null
      ? t`There is no account of the type api yet, which hosts can be written to.`
      : t`You are restricted to accounts that hosts cannot be written to.`;
  const next = mayAdd ? t`Add one, then create the host in it.` : t`Ask an administrator for one of the type api.`;
  return { text: [what, t`Hosts of other accounts come from their sources.`, next].join(' '), mayAdd };
}

/** Whether users and programs write hosts of the account. */
export function takesHosts({ type, enabled }: { readonly type: string; readonly enabled: boolean }): boolean {
  return type === 'api' && enabled;
}
