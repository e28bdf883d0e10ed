import { plural, t } from '@lingui/core/macro';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';
import { fieldOffers, type Offer, type TypedWord, valueOffers } from './typed-word.ts';

const FRESH_SECONDS = 60;
const SHOWN = 12;

/** Fields of the host itself. */
const OWN: Readonly<Record<string, string>> = {
  name: t`the hostname`,
  account: t`the account that owns it`,
  type: t`host, network, contact …`,
  state: t`active or archived`,
  group: t`a group of the inventory`,
  key: t`what it is known by elsewhere`,
  seen: t`when a source last named it`,
  changed: t`when it last changed`,
  created: t`when it was first seen`,
  archived: t`since when it is in the archive`,
};

const MOMENTS: ReadonlySet<string> = new Set(['seen', 'changed', 'created', 'archived']);
const OF_MOMENTS: readonly (readonly [text: string, note: string])[] = [
  [':today', t`today`],
  [':yesterday', t`yesterday`],
  ['<2h', t`within the last two hours`],
  ['<7d', t`within the last seven days`],
  ['>7d', t`longer than seven days ago`],
];

/**
 * Returns suggestions for the word being typed: fields with the number of hosts that have them, then values. Requested once the
 * field is in use.
 */
export function useQueryOffers(word: TypedWord | undefined, isUsed: boolean): readonly Offer[] {
  const session = useSession();
  const isField = word !== undefined && word.sign === '' && word.field !== '';
  const names = useAnswer(
    'search/count-hosts',
    { labels: 1, values: 1 },
    { enabled: isUsed && isField, freshSeconds: FRESH_SECONDS },
  );
  const isValue = word !== undefined && word.sign !== '' && !MOMENTS.has(word.field);
  const ofGroups = word?.field === 'group';
  const values = useAnswer(
    'search/count-hosts',
    { fields: [isValue ? word.field : 'account'], values: 200 },
    {
      enabled: isUsed && isValue && (!ofGroups || may(session, 'inventory/browse-inventory')),
      freshSeconds: FRESH_SECONDS,
    },
  );
  if (word === undefined) return [];
  if (isField) {
    const labels = (names.data?.label_names ?? []).filter(({ field }) => !Object.hasOwn(OWN, field));
    const fields = [
      ...Object.entries(OWN).map(([field, note]) => ({ field, note })),
      ...labels.map(({ field, count }) => ({ field, note: hostsText(count) })),
    ];
    return fieldOffers(word, fields).slice(0, SHOWN);
  }
  if (MOMENTS.has(word.field)) return momentOffers(word);
  const counted = values.isPlaceholderData ? undefined : values.data?.fields[0];
  if (counted?.field !== word.field) return [];
  const known = counted.values.map(({ value, condition, count }) => ({ value, condition, note: hostsText(count) }));
  return valueOffers(word, known).slice(0, SHOWN);
}

function momentOffers({ field, sign, value, isNegated }: TypedWord): readonly Offer[] {
  return OF_MOMENTS.filter(([text]) => text.startsWith(`${sign}${value}`) || (sign === ':' && value === '')).map(
    ([text, note]) => ({ text: `${isNegated ? '-' : ''}${field}${text}`, note }),
  );
}

function hostsText(count: number): string {
  return plural(count, { one: '# host', other: '# hosts' });
}
