import { may, useSession } from '../../calls/session.ts';
import { useAnswer } from '../../calls/use-call.ts';

const FRESH_SECONDS = 300;
const MOST_VALUES = 50;

/** Returns the names of labels that hosts have; requested once a field for one is in use. */
export function useKnownNames(isUsed: boolean): readonly string[] {
  const session = useSession();
  const counted = useAnswer(
    'search/count-hosts',
    { labels: 1, values: 1 },
    { enabled: isUsed && may(session, 'search/count-hosts'), freshSeconds: FRESH_SECONDS },
  );
  return counted.data?.label_names.map(({ field }) => labelOf(field)) ?? [];
}

/** Searches prefix labels with `label.` if their names mean something else. */
function labelOf(field: string): string {
  return field.replace(/^label\./, '');
}

/** Returns the most frequent values of a label of that name; requested once a field for one is in use. */
export function useKnownValues(name: string, isUsed: boolean): readonly string[] {
  const session = useSession();
  const field = `label.${name}`;
  const counted = useAnswer(
    'search/count-hosts',
    { fields: [field], values: MOST_VALUES },
    { enabled: isUsed && name !== '' && may(session, 'search/count-hosts'), freshSeconds: FRESH_SECONDS },
  );
  if (counted.isPlaceholderData) return [];
  const values = counted.data?.fields[0]?.values ?? [];
  return [...new Set(values.map(({ value }) => value).filter((value) => value !== ''))];
}
