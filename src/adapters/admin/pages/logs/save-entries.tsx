import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { OfferedInput } from '../../offered-operations.ts';
import type { CallError } from '../calls/call.ts';
import { download } from '../calls/download.ts';
import { showProblem } from '../calls/use-call.ts';

type Log = 'syncer/list-logs' | 'syncer/list-audit';

const FILES: Readonly<Record<Log, string>> = {
  'syncer/list-logs': 'muster-log.json',
  'syncer/list-audit': 'muster-audit.json',
};
/** Entries of a file. */
const MOST = 10_000;

interface SaveEntriesProps<Name extends Log> {
  readonly of: Name;
  /** Filters of the page. */
  readonly wanted: OfferedInput<Name>;
}

/** The newest entries as a file. */
export function SaveEntries<Name extends Log>({ of, wanted }: SaveEntriesProps<Name>) {
  const save = useMutation<void, CallError>({
    mutationFn: () => download(of, { ...wanted, limit: MOST }, FILES[of]),
    onError: showProblem,
  });
  return (
    <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
      <Trans>Download</Trans>
    </Button>
  );
}
