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
): void {
  if (account !== undefined) attributes.set(ACCOUNT, account);
  if (lastSeen !== null) attributes.set(SEEN, timeText(lastSeen));
  if (lastUpdate !== null) attributes.set(SYNCED, timeText(lastUpdate));
}

export interface NamedMarks {
  readonly any: boolean;
  /** The time a host was seen moves without any revision. */
  readonly seen: boolean;
}

/** Which of them texts of the documents name. */
export function namedMarks(documents: Iterable<JsonObject>): NamedMarks {
  let any = false;
  let seen = false;
  for (const document of documents) {
    if (seen) break;
    eachText(document, (text) => {
      if (!text.includes('syncer_')) return;
      seen ||= text.includes(SEEN);
      any ||= Object.values(IMPORT_MARKS).some((mark) => text.includes(mark));
    });
  }
  return { any, seen };
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
