import { plural, t } from '@lingui/core/macro';
import { List, Text } from '@mantine/core';
import { When } from '../../parts/when.tsx';
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
            {kind} by {by}
            {members.length > 0 && `, ${plural(members.length, { one: '# value', other: '# values' })}`}
          </List.Item>
        ))}
      </List>
    </section>
  );
}
