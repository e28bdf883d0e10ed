import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Command } from '../parts/value.tsx';

const route = getRouteApi('/hosts');

/** Stands where the hosts would be, and says what to do next. */
export function NoHosts({ hasMore }: { readonly hasMore: boolean }) {
  const { where, account, kind, state, after } = route.useSearch();
  const navigate = route.useNavigate();
  if (hasMore) return t`None among the hosts searched so far. The next page continues.`;
  if (after !== undefined) return t`There are no more hosts. Go back to the previous page.`;
  if (where === undefined && account === undefined && kind === undefined) {
    if (state === 'archived') return t`The archive is empty.`;
    return (
      <Text inherit>
        <Trans>
          There are no hosts yet. Import them from an account, as <Command>muster import &lt;account&gt;</Command> does,
          or create one here.
        </Trans>
      </Text>
    );
  }
  return (
    <Stack align="center" gap="xs">
      <Text inherit>
        {where === undefined ? t`Nothing matches these filters.` : t`Nothing matches “${where}” and the other filters.`}{' '}
        {where !== undefined &&
          /[:=]/.test(where) &&
          t`Names of labels must match exactly; * stands for anything: os=debian*`}
        {where !== undefined &&
          /^[^\s:="]*\*[^\s:="]*$/.test(where) &&
          t`A word with * is a whole name or value; *web* finds it anywhere in one.`}
      </Text>
      <Button variant="default" size="xs" onClick={() => void navigate({ search: {} })}>
        <Trans>Clear the filters</Trans>
      </Button>
    </Stack>
  );
}
