import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Chip, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useAnswer } from '../calls/use-call.ts';
import { numberText } from '../language/numbers.ts';
import { Answer } from '../parts/answer.tsx';
import { Changes } from '../parts/changes.tsx';
import { TextLink } from '../parts/links.tsx';
import { When } from '../parts/when.tsx';
import { CompareTimes } from './compare/compare-times.tsx';
import { type Change, narrowed } from './history-filter.ts';
import { kindWord, makerText } from './history-words.ts';
import type { Host } from './host.ts';
import { PutBack } from './put-back.tsx';

const STEPS = [25, 100, 1000] as const;
const SHOWN_VALUES = 20;

/** Shows the changes of a host with authors and times; newest first. */
export function HistoryTab({ host }: { readonly host: Host }) {
  const { hostname } = host;
  const [limit, setLimit] = useState<number>(STEPS[0]);
  const [kinds, setKinds] = useState<readonly string[]>([]);
  const [text, setText] = useState('');
  const history = useAnswer('hosts/host-history', { hostname, limit });
  const more = STEPS.find((step) => step > limit);
  const changes = history.data?.changes;
  const known = useMemo(() => [...new Set(changes?.map(({ kind }) => kind))].sort(), [changes]);
  return (
    <Answer of={history}>
      {({ changes: all, next }) => {
        const shown = narrowed(all, { kinds, text });
        const shownCount = numberText(shown.length);
        const allCount = numberText(all.length);
        return (
          <Stack gap="sm">
            {all.length === 0 && (
              <Text c="dimmed">
                <Trans>Nothing is recorded about this host.</Trans>
              </Text>
            )}
            {all.length > 1 && (
              <Group align="flex-end" gap="md">
                <TextInput
                  label={t`Find in changes`}
                  placeholder={t`label, value or author`}
                  maw={280}
                  value={text}
                  onChange={(event) => setText(event.currentTarget.value)}
                />
                {known.length > 1 && (
                  <Chip.Group multiple value={[...kinds]} onChange={setKinds}>
                    <Group gap={6} role="group" aria-label={t`Kinds of changes`}>
                      {known.map((kind) => (
                        <Chip key={kind} value={kind} size="xs">
                          {kindWord(kind)}
                        </Chip>
                      ))}
                    </Group>
                  </Chip.Group>
                )}
                <Text size="sm" c="dimmed" aria-live="polite">
                  {shown.length === all.length ? '' : t`${shownCount} of ${allCount} changes`}
                </Text>
              </Group>
            )}
            {all.length > 1 && <CompareTimes changes={all} />}
            <ol className="timeline plain-list">
              {shown.map((change, index) => (
                // Several changes may be of one second and kind; the list only grows at its end.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                <li key={`${change.time} ${index}`} className={`timeline-${change.kind}`}>
                  <ChangePaper change={change} host={host} />
                </li>
              ))}
            </ol>
            {all.length === limit && more !== undefined ? (
              <Button variant="default" size="xs" onClick={() => setLimit(more)} loading={history.isPlaceholderData}>
                <Trans>Show older changes</Trans>
              </Button>
            ) : (
              next !== null && (
                <TextLink size="sm" to="/changes" search={{ where: `name=${JSON.stringify(hostname)}`, before: next }}>
                  <Trans>Show older changes</Trans>
                </TextLink>
              )
            )}
          </Stack>
        );
      }}
    </Answer>
  );
}

function ChangePaper({ change, host }: { readonly change: Change; readonly host: Host }) {
  const { time, kind, by, changes } = change;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, SHOWN_VALUES);
  const word = kindWord(kind);
  const maker = makerText(by);
  const count = numberText(changes.length);
  return (
    <Paper withBorder px="md" py="xs" component="article" aria-label={`${word}, ${time}`}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          <Trans>
            <Text span inherit fw={600}>
              {word}
            </Text>{' '}
            by {maker}
          </Trans>
        </Text>
        <Text size="sm" c="dimmed" title={time}>
          <When at={time} />
        </Text>
      </Group>
      {shown.length > 0 && <Changes caption={t`Values before and after`} changes={shown} />}
      {changes.length > shown.length && (
        <Button size="compact-xs" variant="subtle" onClick={() => setWhole(true)}>
          <Trans>Show all {count} values</Trans>
        </Button>
      )}
      <PutBack host={host} change={change} />
    </Paper>
  );
}
