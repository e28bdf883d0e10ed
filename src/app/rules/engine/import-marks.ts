import { momentOf } from '../../../jinja/moment.ts';
import { IMPORT_MARKS } from '../../../kit/names/import-marks.ts';
import type { HostRecord } from '../../../ports/host.ts';
import type { JsonObject, JsonValue } from '../../../ports/json.ts';

const { account: ACCOUNT, seen: SEEN, synced: SYNCED } = IMPORT_MARKS;

/** As templates read it: of the times, what they tell; every other value as it is. */
export function templateValue(name: string, value: JsonValue | undefined): unknown {
  const isTime = (name === SEEN || name === SYNCED) && typeof value === 'string';
  return isTime ? (momentOf(value) ?? value) : value;
}

/** Later than what the host says itself: a label cannot pretend to be one of them. */
export function setImportMarks(
  attributes: Map<string, JsonValue>,
  { lastSeen, lastUpdate }: HostRecord,
  account: string | undefined,
  marks: ReadonlySet<string>,
): void {
  if (account !== undefined && marks.has(ACCOUNT)) attributes.set(ACCOUNT, account);
  if (lastSeen !== null && marks.has(SEEN)) attributes.set(SEEN, timeText(lastSeen));
  if (lastUpdate !== null && marks.has(SYNCED)) attributes.set(SYNCED, timeText(lastUpdate));
}

export const ALL_MARKS: ReadonlySet<string> = new Set(Object.values(IMPORT_MARKS));

/** Which of them texts of the documents name. A filter for all attributes must not show one that moves if no rule reads it. */
export function namedMarks(documents: Iterable<JsonObject>): ReadonlySet<string> {
  const named = new Set<string>();
  for (const document of documents) {
    if (named.size === ALL_MARKS.size) break;
    eachText(document, (text) => {
      if (!text.includes('syncer_')) return;
      for (const mark of ALL_MARKS) if (text.includes(mark)) named.add(mark);
    });
  }
  return named;
}

/** The time a host was seen moves without any revision. */
export function areVolatile(marks: ReadonlySet<string>): boolean {
  return marks.has(SEEN);
}

function eachText(value: JsonValue, look: (text: string) => void): void {
  if (typeof value === 'string') look(value);
  else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) eachText(item as JsonValue, look);
  }
}

/** As Python prints a time: in UTC, with microseconds unless there are none. */
function timeText(at: Date): string {
  const [date = '', time = ''] = at.toISOString().split('T');
  const [seconds = '', part = ''] = time.slice(0, -1).split('.');
  return part === '000' ? `${date} ${seconds}` : `${date} ${seconds}.${part}000`;
}
