import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, List, Select, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { ChangeList } from '../changes/change-list.tsx';
import { CHANGE_KINDS, KIND_WORDS as CHANGE_WORDS, type HostChange } from '../changes/search.ts';
import { HostLink } from '../hosts/host-link.tsx';
import { numberText } from '../language/numbers.ts';
import { LogDetails } from '../logs/log-details.tsx';
import { Answer } from '../parts/answer.tsx';
import { Fact, Facts } from '../parts/facts.tsx';
import { TextLink } from '../parts/links.tsx';
import { searchedMoment } from '../parts/moments.ts';
import { Page } from '../parts/page.tsx';
import { Section } from '../parts/section.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { RunName } from './run-name.tsx';
import { OUTCOME_TONES, OUTCOME_WORDS, type PastRun, titleOf } from './run-words.ts';
import { UndoImport } from './undo-import.tsx';
import { useUndone } from './use-undone.ts';

const route = getRouteApi('/runs/$place');
const MOST = 25;

/** Shows a run that has ended: its effect on hosts, and its log entries. */
export function RunPage() {
  const { place } = route.useParams();
  const session = useSession();
  const answer = useAnswer('runs/show-run', { place });
  const known = answer.data?.run;
  const undone = useUndone(known);
  return (
    <Page
      title={known === undefined ? t({ message: 'Run', context: 'what ran' }) : titleOf(known.kind, known.name)}
      above={[{ to: '/runs', label: t`Runs` }]}
    >
      <Answer of={answer} whereMissing={<TextLink size="sm" to="/runs">{t`All runs`}</TextLink>}>
        {({ run, began, details }) => (
          <Stack>
            <Facts label={t`The run`}>
              <Fact label={run.kind === 'cron' ? t`Cron group` : t`Account`}>
                <RunName run={run} />
              </Fact>
              <Fact label={t`Outcome`}>
                <Group gap={6}>
                  <StatusBadge tone={OUTCOME_TONES[run.outcome]}>{OUTCOME_WORDS[run.outcome]}</StatusBadge>
                  {undone !== undefined && (
                    <StatusBadge tone={OUTCOME_TONES.undone}>{OUTCOME_WORDS.undone}</StatusBadge>
                  )}
                </Group>
              </Fact>
              {began !== null && (
                <Fact label={t`Began`}>
                  <When at={began} />
                </Fact>
              )}
              <Fact label={t`Ended`}>
                <When at={run.at} />
              </Fact>
              <Fact label={t`Message`}>{run.message}</Fact>
              {run.undid !== null && (
                <Fact label={t`Took back`}>
                  <TextLink inherit to="/runs/$place" params={{ place: run.undid }}>
                    <Trans>the import, with the hosts that it had changed</Trans>
                  </TextLink>
                </Fact>
              )}
            </Facts>
            {run.kind === 'import' && began !== null && (
              <>
                <UndoImport run={run} undone={undone} />
                {may(session, 'search/search-hosts') && <Created run={run} began={began} />}
                {may(session, 'hosts/list-changes') && <Changed run={run} began={began} />}
              </>
            )}
            {run.kind === 'import' && began === null && run.outcome !== 'undone' && (
              <Text size="sm" c="dimmed">
                <Trans>When this run began was not kept, so the hosts that it changed cannot be listed.</Trans>
              </Text>
            )}
            <Section title={t`Log`}>
              {details.length === 0 ? (
                <Text size="sm" c="dimmed">
                  <Trans>The log has no details of this run.</Trans>
                </Text>
              ) : (
                <LogDetails details={details} />
              )}
            </Section>
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

interface OfRunProps {
  readonly run: PastRun;
  readonly began: string;
}

/** Hosts created during the run, which belong to its account. */
function Created({ run, began }: OfRunProps) {
  const where = `created>="${searchedMoment(began)}" created<="${searchedMoment(run.at)}"`;
  const found = useAnswer('search/search-hosts', { where, account: run.name, inventory: false, limit: MOST });
  const counted = useAnswer('search/count-hosts', { where, account: run.name });
  const size = counted.data?.size;
  return (
    <Section title={size === undefined ? t`Created` : t`Created (${{ count: numberText(size) }})`}>
      <Answer of={found}>
        {({ hosts, next }) =>
          hosts.length === 0 ? (
            <Text size="sm" c="dimmed">
              {next === null
                ? t`No host was created, or those that were are archived by now.`
                : t`Nothing found so far.`}
            </Text>
          ) : (
            <>
              <List size="sm" listStyleType="none" spacing={2}>
                {hosts.map(({ hostname }) => (
                  <List.Item key={hostname}>
                    <HostLink hostname={hostname} />
                  </List.Item>
                ))}
              </List>
              {next !== null && (
                <Text size="sm">
                  <TextLink inherit to="/hosts" search={{ account: run.name, where }}>
                    <Trans>All of them</Trans>
                  </TextLink>
                </Text>
              )}
            </>
          )
        }
      </Answer>
    </Section>
  );
}

/** Changes that the account made between the beginning and the end of the run. */
function Changed({ run, began }: OfRunProps) {
  const [kind, setKind] = useState<HostChange['kind']>();
  const [places, setPlaces] = useState<readonly string[]>([]);
  const before = places.at(-1);
  const page = useAnswer('hosts/list-changes', {
    by: `account:${run.name}`,
    from: began,
    until: endOf(run.at),
    limit: MOST,
    ...(kind === undefined ? {} : { kind }),
    ...(before === undefined ? {} : { before }),
  });
  return (
    <Section title={t`Changed`}>
      <Select
        label={t`Kind of change`}
        placeholder={t`Anything`}
        clearable
        w={170}
        data={CHANGE_KINDS.map((value) => ({ value, label: CHANGE_WORDS[value] }))}
        value={kind ?? null}
        onChange={(wanted) => {
          setKind(CHANGE_KINDS.find((one) => one === wanted));
          setPlaces([]);
        }}
      />
      <Answer of={page}>
        {({ changes, next }) => (
          <Box aria-busy={page.isPlaceholderData} opacity={page.isPlaceholderData ? 0.6 : 1}>
            {changes.length === 0 && (
              <Text size="sm" c="dimmed" role="status">
                {next === null ? t`No host was changed.` : t`Nothing found so far: continue with "Older".`}
              </Text>
            )}
            <ChangeList changes={changes} hidesBy />
            {(places.length > 0 || next !== null) && (
              <Group gap="xs" justify="flex-end" mt="xs">
                <Button
                  size="xs"
                  variant="default"
                  disabled={places.length === 0}
                  onClick={() => setPlaces(places.slice(0, -1))}
                >
                  <Trans>Newer</Trans>
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  disabled={next === null}
                  onClick={() => next !== null && setPlaces([...places, next])}
                >
                  <Trans>Older</Trans>
                </Button>
              </Group>
            )}
          </Box>
        )}
      </Answer>
    </Section>
  );
}

/** Ends have a resolution of one second; the run ended within it. */
function endOf(at: string): string {
  return new Date(Date.parse(at) + 999).toISOString();
}
