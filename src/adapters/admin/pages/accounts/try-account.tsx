import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import type { OfferedInput } from '../../offered-operations.ts';
import { useAction } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { RecordsTable } from './assistant/records-table.tsx';

/** Shows the first records of a source, with the settings in the form and before anything is stored. */
export function TryAccount({ of }: { readonly of: OfferedInput<'accounts/try-account'> }) {
  const attempt = useAction('accounts/try-account', { changes: [], showsProblem: true });
  return (
    <Stack gap="xs" component="section" aria-label={t`Test before saving`}>
      <div>
        <Button variant="default" loading={attempt.isPending} onClick={() => attempt.mutate(of)}>
          <Trans>Test before saving</Trans>
        </Button>
      </div>
      {attempt.isError && <Problem error={attempt.error} />}
      {attempt.data !== undefined && !attempt.isPending && <RecordsTable tried={attempt.data} />}
    </Stack>
  );
}
