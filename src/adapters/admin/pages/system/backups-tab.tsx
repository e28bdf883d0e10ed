import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Code, Stack, Text } from '@mantine/core';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { useRun } from '../calls/use-run.ts';
import { Answer } from '../parts/answer.tsx';
import { CopyLine } from '../parts/copy-line.tsx';
import { Done } from '../parts/done.tsx';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { BackupProgress } from './backup-progress.tsx';
import { encryptionText, sizeText } from './backup-words.ts';
import { KeptBackups } from './kept-backups.tsx';

type Kept = OfferedOutput<'storage/list-backups'>;

/** The kept backups, a new one, and how one is restored. */
export function BackupsTab() {
  const kept = useAnswer('storage/list-backups', {}, { everySeconds: 60 });
  return (
    <Answer of={kept}>
      {(data) => (
        <Stack>
          <NewBackup kept={data} />
          <KeptBackups backups={data.backups} />
          <Restoring newest={data.backups[0]} folder={data.folder} />
        </Stack>
      )}
    </Answer>
  );
}

function NewBackup({ kept: { folder, keep, encryption } }: { readonly kept: Kept }) {
  const mayBackUp = may(useSession(), 'storage/keep-backup');
  const run = useRun('storage/keep-backup', ['storage/list-backups']);
  return (
    <Stack gap="sm" maw={720}>
      <Text size="sm">
        <Trans>
          The job <Code>Backup</Code> of a cron group writes backups regularly. Each is proved by restoring it into a
          database of its own, and the newest {keep} are kept in <Code className="wrap-anywhere">{folder}</Code> on the
          machine of the service. The instance key is not in them: keep it in another place.
        </Trans>
      </Text>
      <Text size="sm">{t`The next one: ${{ how: encryptionText(encryption) }} (BACKUP_ENCRYPTION).`}</Text>
      {mayBackUp ? (
        <Button style={{ alignSelf: 'flex-start' }} loading={run.isPending} onClick={() => run.mutate({})}>
          <Trans>Back up now</Trans>
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          <Trans>You may only read, so you cannot make, verify or download backups.</Trans>
        </Text>
      )}
      {run.isPending && <BackupProgress label={t`Backing up`} progress={run.progress} />}
      {run.isError && <Problem error={run.error} />}
      {run.isSuccess && (
        <Done title={t`Backup written`}>
          {t`${{ file: nameOf(run.data.file) }}, ${{ size: sizeText(run.data.bytes) }}, was proved by restoring it.`}
        </Done>
      )}
    </Stack>
  );
}

interface RestoringProps {
  readonly newest: Kept['backups'][number] | undefined;
  readonly folder: string;
}

/** Restoring replaces everything, including the users who may do it: so it is a command. */
function Restoring({ newest, folder }: RestoringProps) {
  const file = `${folder}/${newest?.file ?? 'muster-….gz'}`;
  const identity = newest?.encryption === 'age' ? ' --identity backup.key' : '';
  return (
    <Section title={t`Restore`}>
      <Text size="sm" maw={720}>
        <Trans>
          A restore replaces everything that is stored, so it is a command on the machine of the service. Stop the
          service first; the command verifies the whole file before it touches anything.
        </Trans>
      </Text>
      <CopyLine value={`muster restore --force '${file}'${identity}`} label={t`command`} />
    </Section>
  );
}

/** The name in a path of the machine of the service. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
