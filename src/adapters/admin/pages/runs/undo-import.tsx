import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, List, Stack, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAction } from '../calls/use-call.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { numberText } from '../language/numbers.ts';
import { TextLink } from '../parts/links.tsx';
import { Problem } from '../parts/problem.tsx';
import { Section } from '../parts/section.tsx';
import { When } from '../parts/when.tsx';
import type { PastRun } from './run-words.ts';

interface UndoImportProps {
  readonly run: PastRun;
  /** The run that already undid it. */
  readonly undone: PastRun | undefined;
}

/** Undoes an import, after showing the consequences. */
export function UndoImport({ run, undone }: UndoImportProps) {
  const session = useSession();
  const preview = useAction('runs/undo-run', { changes: [], showsProblem: true });
  const undo = useAction('runs/undo-run', {
    done: t`The import of ${{ name: run.name }} is undone.`,
    changes: ['runs', 'hosts', 'search', 'logs', 'accounts', 'syncer'],
    showsProblem: true,
  });
  if (!may(session, 'runs/undo-run')) return null;
  const shown = undo.data ?? preview.data;
  const problem = undo.error ?? preview.error;
  const isThere = (shown?.changed ?? 0) + (shown?.archived ?? 0) + (shown?.restored ?? 0) + (shown?.renamed ?? 0) > 0;
  return (
    <Section title={t`Undo`}>
      <Stack gap="xs">
        <Text size="sm">
          <Trans>
            Labels, sections, owners and names get the values from before this import. Hosts that it created are
            archived, and those that it archived are restored. What something else changed since is left alone.
          </Trans>
        </Text>
        {undone !== undefined && (
          <Text size="sm" fw={600}>
            <Trans>
              This import was undone <When at={undone.at} />:{' '}
              <TextLink inherit to="/runs/$place" params={{ place: undone.place }}>
                see what was undone
              </TextLink>
              .
            </Trans>
          </Text>
        )}
        {problem !== null && <Problem error={problem} />}
        {shown !== undefined && <UndoOutcome outcome={shown} />}
        <Group>
          <Button
            size="xs"
            variant="default"
            loading={preview.isPending}
            onClick={() => {
              undo.reset();
              preview.mutate({ place: run.place, dry_run: true });
            }}
          >
            {undone === undefined ? t`Show what would be undone` : t`Show what is left to undo`}
          </Button>
          {preview.data !== undefined && undo.data === undefined && isThere && (
            <Button size="xs" color="red" loading={undo.isPending} onClick={() => undo.mutate({ place: run.place })}>
              <Trans>Undo the import</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Section>
  );
}

interface Outcome {
  readonly message: string;
  readonly hostnames: readonly string[];
  readonly left: number;
  readonly left_alone: readonly { readonly hostname: string; readonly reason: string }[];
}

/** Hosts that are named of each kind. */
const MOST = 10;

function UndoOutcome({ outcome: { message, hostnames, left, left_alone: leftAlone } }: { readonly outcome: Outcome }) {
  return (
    <>
      <Text size="sm" role="status" fw={600}>
        {message.charAt(0).toUpperCase()}
        {message.slice(1)}
      </Text>
      {hostnames.length > 0 && (
        <Text size="sm" className="wrap-anywhere">
          {hostnames.slice(0, MOST).map((hostname, place) => (
            <span key={hostname}>
              {place > 0 && ', '}
              <HostLink hostname={hostname} />
            </span>
          ))}
          {hostnames.length > MOST && ' …'}
        </Text>
      )}
      {left > 0 && (
        <List size="sm" listStyleType="none" aria-label={t`Left alone`}>
          {leftAlone.slice(0, MOST).map(({ hostname, reason }) => (
            <List.Item key={hostname}>
              <HostLink hostname={hostname} />: {reason}
            </List.Item>
          ))}
          {left > MOST && (
            <List.Item>{t`… and ${{ count: numberText(left - MOST) }} more; the log has their names`}</List.Item>
          )}
        </List>
      )}
    </>
  );
}
