import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { TextLink } from '../parts/links.tsx';
import { dayStart, searchedDayStart, today } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';
import { Section } from '../parts/section.tsx';
import { When } from '../parts/when.tsx';
import { titleOf } from '../runs/run-words.ts';
import { type ChangedArea, changeCauses } from './change-causes.ts';

const ASKED = { everySeconds: 60, freshSeconds: 20 } as const;

/** Shows today's changes, and their causes. The day is that of the reader's zone. */
export function TodayPanel() {
  const session = useSession();
  const { zone } = usePreferences();
  const day = today(zone);
  const start = searchedDayStart(day, zone);
  return (
    <Section title={t`Changed today`}>
      {may(session, 'search/count-hosts') && (
        <SimpleGrid cols={3} spacing="xs">
          <Count label={t`Created`} where={`created>${start}`} hint={t`Hosts that are new today`} />
          <Count
            label={t`Changed`}
            where={`changed>${start} created<${start}`}
            hint={t`Hosts that changed today, without those that are new or were archived since`}
          />
          <Count
            label={t`Archived`}
            where={`state:archived archived>${start}`}
            hint={t`Hosts that were archived today`}
          />
        </SimpleGrid>
      )}
      <Causes since={dayStart(day, zone)} />
      {may(session, 'hosts/list-changes') && (
        <TextLink size="sm" to="/changes" search={{ from: day }}>
          <Trans>All changes of today, with values</Trans>
        </TextLink>
      )}
    </Section>
  );
}

interface CountProps {
  readonly label: string;
  readonly where: string;
  /** Explains the number. */
  readonly hint: string;
}

function Count({ label, where, hint }: CountProps) {
  const answer = useAnswer('search/count-hosts', { where }, ASKED);
  const size = answer.data?.size;
  return (
    <div title={hint}>
      <Text size="xl" fw={600} component="div">
        {size === undefined ? '–' : `${numberText(size)}${answer.data?.is_exact === false ? '+' : ''}`}
      </Text>
      <TextLink size="sm" to="/hosts" search={{ where }}>
        {label}
      </TextLink>
    </div>
  );
}

function Causes({ since }: { readonly since: string }) {
  const session = useSession();
  const runs = useAnswer(
    'runs/list-runs',
    { kind: 'import', limit: 100 },
    { ...ASKED, enabled: may(session, 'runs/list-runs') },
  );
  const audit = useAnswer(
    'syncer/list-audit',
    { limit: 200, since },
    { ...ASKED, enabled: may(session, 'syncer/list-audit') },
  );
  const { byRuns, byPeople } = changeCauses(runs.data?.runs ?? [], audit.data?.entries ?? [], since);
  if (byRuns.length + byPeople.length === 0) {
    // A user who may read only part of it cannot know whether there was nothing.
    if (!may(session, 'runs/list-runs') || !may(session, 'syncer/list-audit')) return null;
    return (
      <Text size="sm" c="dimmed">
        {runs.isLoading || audit.isLoading ? t`Looking…` : t`Nothing was imported or edited today.`}
      </Text>
    );
  }
  return (
    <Stack gap={4} component="ul" className="plain-list">
      {byRuns.map(({ run, count }) => (
        <Text key={run.place} component="li" size="sm" lineClamp={2} className="wrap-anywhere">
          <TextLink inherit to="/runs/$place" params={{ place: run.place }}>
            {titleOf(run.kind, run.name)}
          </TextLink>
          {count > 1 ? ` (${plural(count, { one: '# run', other: '# runs' })})` : ''}{' '}
          <Text span inherit c="dimmed">
            <When at={run.at} />: {run.message}
          </Text>
        </Text>
      ))}
      {byPeople.map(({ actor, what, count, at }) => (
        <Text key={`${actor} ${what}`} component="li" size="sm" className="wrap-anywhere">
          <TextLink inherit to="/logs/audit" search={{ actor }}>
            {actor}
          </TextLink>{' '}
          <Text span inherit c="dimmed">
            <When at={at} />: {changesText(count, what)}
          </Text>
        </Text>
      ))}
    </Stack>
  );
}

function changesText(count: number, what: ChangedArea): string {
  switch (what) {
    case 'hosts':
      return t`${plural(count, { one: '# change', other: '# changes' })} of hosts`;
    case 'rules':
      return t`${plural(count, { one: '# change', other: '# changes' })} of rules`;
    case 'accounts':
      return t`${plural(count, { one: '# change', other: '# changes' })} of accounts`;
    case 'relations':
      return t`${plural(count, { one: '# change', other: '# changes' })} of relations`;
  }
}
