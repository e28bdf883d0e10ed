import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion, Badge, Box, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { TextLink } from '../parts/links.tsx';
import { exactText, isoOf, zoneName } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';
import { When } from '../parts/when.tsx';
import { LogDetails } from './log-details.tsx';

type LogEntry = OfferedOutput<'syncer/list-logs'>['entries'][number];

interface LogEntriesProps {
  readonly entries: readonly LogEntry[];
  /** Shown if there are no entries. */
  readonly empty: ReactNode;
  /** True if new entries are marked while the page is visible, and announced to screen readers. */
  readonly marksNew?: boolean;
  /** True if all of them belong to one component. */
  readonly hidesSource?: boolean;
}

/** Entries of the log, each with its details folded. */
export function LogEntries({ entries, empty, hidesSource = false, marksNew = false }: LogEntriesProps) {
  const seen = useRef<ReadonlySet<string>>(undefined);
  seen.current ??= new Set(entries.map(({ entry_id }) => entry_id));
  const isNew = ({ entry_id }: LogEntry): boolean => marksNew && seen.current?.has(entry_id) === false;
  const news = entries.filter(isNew).length;
  if (entries.length === 0) return <Box py="md">{empty}</Box>;
  return (
    <>
      <VisuallyHidden role="status">
        {news === 0 ? '' : plural(news, { one: '# new entry', other: '# new entries' })}
      </VisuallyHidden>
      <Accordion multiple chevronPosition="left" className="log" chevronSize={14}>
        {entries.map((entry) => (
          <Accordion.Item key={entry.entry_id} value={entry.entry_id} {...(isNew(entry) && { className: 'log-new' })}>
            <Accordion.Control>
              <div className={hidesSource ? 'log-line log-line-short' : 'log-line'}>
                <Text component="span" size="sm" c="dimmed">
                  <When at={entry.time} />
                </Text>
                {!hidesSource && (
                  <Text component="span" size="sm" className="wrap-anywhere">
                    {entry.source}
                  </Text>
                )}
                <Text component="span" size="sm" className="wrap-anywhere" lineClamp={2}>
                  {entry.has_error && (
                    <Badge component="span" color="red" size="sm" mr={6}>
                      <Trans>error</Trans>
                    </Badge>
                  )}
                  {entry.message}
                </Text>
              </div>
            </Accordion.Control>
            <Accordion.Panel>
              <Details entry={entry} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </>
  );
}

function Details({ entry: { entry_id, time, message, source, details } }: { readonly entry: LogEntry }) {
  const session = useSession();
  const { zone } = usePreferences();
  return (
    <Box pl={30}>
      <Text size="xs" c="dimmed">
        {exactText(time, zone)} {zoneName(zone)}
      </Text>
      <Text size="sm" className="wrap-anywhere">
        {message}
      </Text>
      {/^(?:import|export|cron):/.test(source) && may(session, 'runs/show-run') && (
        <TextLink size="sm" to="/runs/$place" params={{ place: `${Date.parse(isoOf(time))}-${entry_id}` }}>
          <Trans>Details of this run</Trans>
        </TextLink>
      )}
      {details.length > 0 && (
        <LogDetails details={details.map(({ name, message: line }) => ({ level: name, message: line }))} />
      )}
    </Box>
  );
}
