import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import type { CallError } from '../calls/call.ts';
import { download } from '../calls/download.ts';
import { may, useSession } from '../calls/session.ts';
import { showProblem } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { numberText } from '../language/numbers.ts';
import { cell } from '../parts/cells.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { PagesOf } from '../parts/pager.tsx';
import { Problem } from '../parts/problem.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { BackupProgress } from './backup-progress.tsx';
import { encryptionText, sizeText } from './backup-words.ts';

type Backup = OfferedOutput<'storage/list-backups'>['backups'][number];

/** Lists the stored backups, each to be verified and downloaded. */
export function KeptBackups({ backups }: { readonly backups: readonly Backup[] }) {
  const session = useSession();
  const mayVerify = may(session, 'storage/verify-backup');
  const { mutate: verify, ...verified } = useRun('storage/verify-backup', ['storage/list-backups']);
  const { mutate: save, ...saved } = useMutation<void, CallError, string>({
    mutationFn: (file) => download('storage/read-backup', { file }, file),
    onError: showProblem,
  });
  const verifying = verified.isPending ? verified.variables.file : undefined;
  const saving = saved.isPending ? saved.variables : undefined;
  const columns = useMemo(
    () =>
      mayVerify ? [...COLUMNS, buttonsOf({ verify: (file) => verify({ file }), verifying, save, saving })] : COLUMNS,
    [mayVerify, verify, verifying, save, saving],
  );
  return (
    <Stack gap="sm">
      {verified.isPending && (
        <BackupProgress label={t`Verifying ${{ file: verified.variables.file ?? '' }}`} progress={verified.progress} />
      )}
      {verified.isError && <Problem error={verified.error} />}
      <PagesOf rows={backups} label={t`backups`} size={20}>
        {(rows) => (
          <DataTable
            caption={t`Kept backups`}
            minWidth={860}
            columns={columns}
            rows={rows}
            rowKey={({ file }) => file}
            empty={t`No backups yet.`}
          />
        )}
      </PagesOf>
    </Stack>
  );
}

const COLUMNS: readonly Column<Backup>[] = [
  cell.when('written', t`Written`, ({ written_at }) => written_at, {
    note: ({ file }) => <span className="wrap-anywhere">{file}</span>,
  }),
  cell.text('size', t`Size`, ({ bytes }) => sizeText(bytes), {
    note: ({ records }) => records !== null && t`${{ amount: numberText(records) }} records`,
  }),
  cell.text('encryption', t`Encryption`, ({ encryption }) => encryptionText(encryption)),
  { id: 'verified', header: t`Verified`, cell: (backup) => <Verified {...backup} /> },
];

/** Every backup was verified when it was written; later results are newer. */
function Verified({ verified_at, failed_at, failure }: Backup) {
  if (failed_at !== null) {
    return (
      <Stack gap={4}>
        <Group gap="xs">
          <StatusBadge tone="bad">{t`failed`}</StatusBadge>
          <Text size="sm">
            <When at={failed_at} />
          </Text>
        </Group>
        <Text size="xs" className="wrap-anywhere">
          {failure}
        </Text>
      </Stack>
    );
  }
  return (
    <Group gap="xs">
      <StatusBadge tone="good">{t`ok`}</StatusBadge>
      <Text size="sm">{verified_at === null ? <Trans>when it was written</Trans> : <When at={verified_at} />}</Text>
    </Group>
  );
}

interface Buttons {
  readonly verify: (file: string) => void;
  readonly verifying: string | undefined;
  readonly save: (file: string) => void;
  readonly saving: string | undefined;
}

function buttonsOf({ verify, verifying, save, saving }: Buttons): Column<Backup> {
  return cell.act('buttons', t`Actions`, ({ file }) => (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        aria-label={t`Verify ${file}`}
        loading={file === verifying}
        disabled={verifying !== undefined}
        onClick={() => verify(file)}
      >
        <Trans>Verify</Trans>
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={t`Download ${file}`}
        loading={file === saving}
        onClick={() => save(file)}
      >
        <Trans>Download</Trans>
      </Button>
    </Group>
  ));
}
