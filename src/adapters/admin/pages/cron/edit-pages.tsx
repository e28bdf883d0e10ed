import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useRef } from 'react';
import { useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { TextLink } from '../parts/links.tsx';
import { Page } from '../parts/page.tsx';
import { GroupForm } from './group-form.tsx';
import type { ShownGroup } from './group-state.tsx';
import { dailyGroup } from './group-values.ts';
import { whyNot } from './rights.ts';

const ABOVE = { to: '/cron', label: t`Cron groups` } as const;

interface NewGroupPageProps {
  /** The form begins with a job of it. */
  readonly account?: string;
  readonly command?: 'Import' | 'Export';
}

export function NewGroupPage({ account, command = 'Import' }: NewGroupPageProps) {
  const restriction = whyNot(useSession());
  return (
    <Page title={t`New cron group`} above={[ABOVE]} isNarrow>
      {restriction === undefined ? (
        <GroupForm {...(account !== undefined && { begin: dailyGroup(account, command) })} />
      ) : (
        <Text>{restriction}</Text>
      )}
    </Page>
  );
}

export function EditGroupPage({ name }: { readonly name: string }) {
  const restriction = whyNot(useSession());
  const shown = useAnswer('cron/show-group', { group_name: name });
  // The form begins with the stored values, not with those of an earlier page, and then keeps the input.
  const begun = useRef<ShownGroup>(undefined);
  if (begun.current === undefined && !shown.isFetching) begun.current = shown.data;
  const group = begun.current;
  return (
    <Page title={t`Edit ${name}`} above={[ABOVE, { to: `/cron/${encodeURIComponent(name)}`, label: name }]} isNarrow>
      {restriction !== undefined ? (
        <Text>{restriction}</Text>
      ) : group === undefined ? (
        <Answer of={shown} whereMissing={<TextLink size="sm" to="/cron">{t`All cron groups`}</TextLink>}>
          {() => null}
        </Answer>
      ) : (
        <GroupForm group={group} />
      )}
    </Page>
  );
}
