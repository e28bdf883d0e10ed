import { Button, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Command } from '../parts/value.tsx';

const route = getRouteApi('/hosts');

/** Stands where the hosts would be, and says what to do next. */
export function NoHosts({ hasMore }: { readonly hasMore: boolean }) {
  const { search, account, kind, state, after } = route.useSearch();
  const navigate = route.useNavigate();
  if (hasMore) return 'None among the hosts searched so far. The next page continues.';
  if (after !== undefined) return 'There are no more hosts. Go back to the previous page.';
  if (search === undefined && account === undefined && kind === undefined) {
    if (state === 'archived') return 'The archive is empty.';
    return (
      <Text inherit>
        There are no hosts yet. Import them from an account, as <Command>muster import &lt;account&gt;</Command> does,
        or create one here.
      </Text>
    );
  }
  return (
    <Stack align="center" gap="xs">
      <Text inherit>
        {search === undefined ? 'Nothing matches these filters.' : `Nothing matches “${search}” and the other filters.`}{' '}
        {search?.includes('=') === true &&
          'Label names must match exactly; * at either end of the value matches anything: os=debian*'}
      </Text>
      <Button variant="default" size="xs" onClick={() => void navigate({ search: {} })}>
        Clear the filters
      </Button>
    </Stack>
  );
}
