import { Trans } from '@lingui/react/macro';
import { Group } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { TextLink } from '../parts/links.tsx';

/** Where to go once an import has changed hosts: to the hosts, and to what it did to them, which can be undone there. */
export function AfterImport({ account }: { readonly account: string }) {
  const session = useSession();
  const mayRead = may(session, 'runs/list-runs');
  const runs = useAnswer('runs/list-runs', { account, kind: 'import', limit: 1 }, { enabled: mayRead });
  // What was the newest before this import is not told for it.
  const run = runs.isFetching ? undefined : runs.data?.runs[0];
  return (
    <Group gap="md">
      <TextLink size="sm" to="/hosts" search={{ account }}>
        <Trans>See the hosts</Trans>
      </TextLink>
      {run !== undefined && (
        <TextLink size="sm" to="/runs/$place" params={{ place: run.place }}>
          <Trans>See what changed, or undo it</Trans>
        </TextLink>
      )}
    </Group>
  );
}
