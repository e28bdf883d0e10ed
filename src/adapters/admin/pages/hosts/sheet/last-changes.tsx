import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { List, Text } from '@mantine/core';
import { When } from '../../parts/when.tsx';
import { kindWord, makerText } from '../history-words.ts';
import { PanelTitle } from '../panel-title.tsx';
import { useChanges } from './use-changes.ts';

const SHOWN = 5;

/** The newest changes in a line each; History has the values. */
export function LastChanges({ hostname }: { readonly hostname: string }) {
  const history = useChanges(hostname);
  const changes = history.data?.changes ?? [];
  if (changes.length === 0) return null;
  return (
    <section aria-label={t`Last changes`}>
      <PanelTitle title={t`Last changes`} count={changes.length} />
      <List size="sm" listStyleType="none" spacing={4}>
        {changes.slice(0, SHOWN).map(({ time, kind, by, changes: members }, index) => (
          // Several changes may be of one second and kind; the list only grows at its beginning.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <List.Item key={`${time} ${index}`} className="wrap-anywhere">
            <Text span inherit c="dimmed">
              <When at={time} />
            </Text>{' '}
            <Summary word={kindWord(kind)} by={makerText(by)} count={members.length} />
          </List.Item>
        ))}
      </List>
    </section>
  );
}

interface SummaryProps {
  readonly word: string;
  readonly by: string;
  /** Number of values that changed. */
  readonly count: number;
}

function Summary({ word, by, count }: SummaryProps) {
  if (count === 0) {
    return (
      <Trans>
        {word} by {by}
      </Trans>
    );
  }
  return (
    <Trans>
      {word} by {by}, <Plural value={count} one="# value" other="# values" />
    </Trans>
  );
}
