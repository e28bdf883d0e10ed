import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { may, useSession } from '../calls/session.ts';
import { TextLink } from '../parts/links.tsx';
import { dayText } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface QueryNotesProps {
  /** Conditions of the search for the shown hosts. */
  readonly conditions: readonly string[];
  /** True if the input is invalid, so that these are still the hosts of the previous search. */
  readonly isEarlier: boolean;
}

/** Shows notes on the search behind the shown hosts. */
export function QueryNotes({ conditions, isEarlier }: QueryNotesProps) {
  return (
    <>
      {isEarlier && (
        <Text size="sm" c="dimmed" role="status" mt="xs">
          {conditions.length === 0
            ? t`Showing the previous results: all hosts.`
            : t`Showing the previous results: ${{ query: conditions.join(' ') }}`}
        </Text>
      )}
      <OfLastChanges conditions={conditions} />
    </>
  );
}

/** A search for hosts changed on a day may be meant for all changes on it. */
function OfLastChanges({ conditions }: Pick<QueryNotesProps, 'conditions'>) {
  const session = useSession();
  const { zone } = usePreferences();
  const asked = conditions.flatMap((condition) => /^changed(:|>=?|=)(\S+)$/.exec(condition)?.slice(1) ?? []);
  const [sign, moment] = asked;
  if (moment === undefined || !may(session, 'hosts/list-changes')) return null;
  const others = conditions.filter((condition) => !/^changed[:=<>]/.test(condition)).join(' ');
  const day = dayOf(moment, (at) => dayText(new Date(at).toISOString(), zone));
  const where = others === '' ? undefined : others;
  const to = day !== undefined && (sign === ':' || sign === '=') ? day : undefined;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      <Trans>
        changed is the last change of a host. Each change, also of hosts that changed again since, is in{' '}
        <TextLink inherit to="/changes" search={{ where, from: day, to }}>
          the changes of these hosts
        </TextLink>
        .
      </Trans>
    </Text>
  );
}

/** Returns `2026-01-31`; `undefined` for anything other than a day. */
function dayOf(moment: string, dayAt: (at: number) => string): string | undefined {
  if (moment === 'today') return dayAt(Date.now());
  if (moment === 'yesterday') return dayAt(Date.now() - DAY_MS);
  const age = /^(\d{1,4})d$/.exec(moment)?.[1];
  if (age !== undefined) return dayAt(Date.now() - Number(age) * DAY_MS);
  return /^\d{4}-\d\d-\d\d$/.test(moment) ? moment : undefined;
}
