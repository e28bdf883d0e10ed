import { setImmediate as nextTurn } from 'node:timers/promises';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { maskedSaid } from '../../../kit/masking/masked.ts';
import { type Said, textOf, worded } from '../../../kit/worded.ts';
import type { AppError, JsonObject, RemoteGap, RemoteObject } from '../../../ports/index.ts';
import { shown } from '../../hosts/decisions/check.ts';
import type { Remote } from './decisions/match-object.ts';
import { ROWS_A_STEP } from './disk-rows.ts';
import type { OpenedObjectTarget } from './open-object-target.ts';
import type { PlanWork } from './plan-in-making.ts';
import { joined, type PlanTables } from './plan-tables.ts';
import { PluginTurn } from './plugin-turn.ts';

/** Why nothing certain is known of a kind with gaps, with the first of them. */
export function gapText({ said }: Gaps): string {
  return `not everything could be read: ${textOf(said[0] ?? '')}`;
}

/** The parts of the system that could not be read. */
export interface Gaps {
  /** For people. */
  readonly said: readonly Said[];
  /** Whether something of that kind may be missing. */
  has(kind: string): boolean;
}

/** Longer keys cannot be names. */
const MAX_KEY_LENGTH = 1_000;

/**
 * Reads everything that the system has into the tables. `onRead` gets how many objects were read so far, and what the target says. Throws
 * `AppError` when it cannot, or when what it says makes no sense.
 */
export async function readRemote(
  { opened, tables, account, timeoutSeconds, signal }: PlanWork,
  onRead: (count: number, note?: string) => void,
): Promise<Gaps> {
  const { pluginId, target, kinds, mask, part } = opened;
  let count = 0;
  const turn = new PluginTurn({
    pluginId,
    what: `reading the target of account ${account}`,
    timeoutSeconds,
    signal,
    mask,
    onNote: (note) => onRead(count, note),
  });
  const gaps: RemoteGap[] = [];
  let iterator: AsyncIterator<readonly (RemoteObject | RemoteGap)[]> | undefined;
  let isOver = false;
  try {
    const stream = await turn.call(() =>
      target.read({ ...turn.context, ...(part === undefined ? {} : { part: part.id }) }),
    );
    iterator = stream[Symbol.asyncIterator]();
    const reading = iterator;
    for (;;) {
      const step = await turn.call(() => reading.next());
      if (step.done === true) break;
      if (!Array.isArray(step.value)) throw turn.fault(new Error('it gave something other than a list of objects'));
      const items: readonly (RemoteObject | RemoteGap)[] = step.value;
      for (let from = 0; from < items.length; from += ROWS_A_STEP) {
        const part = items.slice(from, from + ROWS_A_STEP);
        gaps.push(...part.filter((item) => 'gap' in item));
        keep(
          part.flatMap((item) => ('gap' in item ? [] : [checked(item, kinds, turn)])),
          tables,
        );
        await nextTurn();
      }
      count += items.length;
      onRead(count);
    }
    isOver = true;
  } finally {
    turn.end();
    if (!isOver) void Promise.resolve(iterator?.return?.()).catch(() => undefined);
  }
  return gapsOf(gaps, mask);
}

function checked(
  object: RemoteObject,
  kinds: OpenedObjectTarget['kinds'],
  turn: PluginTurn,
): readonly [place: string, remote: Remote] {
  const wrong = (what: string): AppError => turn.fault(new Error(`it gave an object ${what}`));
  const { kind, key, id, fields, owner, etag, partOf } = object;
  if (!kinds.has(kind)) throw wrong(`of the kind ${shown(String(kind))}, which it does not declare`);
  const problem = keyProblem(key);
  if (problem !== undefined) throw wrong(`of the kind ${kind} whose key ${problem}`);
  if (typeof id !== 'string' || id === '') throw wrong(`${kind} ${shown(key)} without an id`);
  if (!isJsonObject(fields)) throw wrong(`${kind} ${shown(key)} without fields`);
  if (owner !== 'us' && owner !== 'other' && owner !== 'nobody') {
    throw wrong(`${kind} ${shown(key)} whose owner is not one of us, other and nobody`);
  }
  const remote = { id, owner, fields: asJson(fields), etag: etag ?? null };
  return [joined(kind, key), partOf === undefined ? remote : { ...remote, partOf }];
}

/** The fields as a text of them would be read: plugins are written in plain JavaScript too. */
function asJson(fields: JsonObject): JsonObject {
  for (const name in fields) {
    const value = fields[name];
    if (!isScalar(value) && !isEmpty(value)) return JSON.parse(JSON.stringify(fields)) as JsonObject;
  }
  return fields;
}

/** Nearly all objects of some systems have such a field. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.length === 0;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const _ in value) return false;
  return true;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value);
}

/** Returns the problem of a key; `undefined` if there is none. */
export function keyProblem(key: unknown): string | undefined {
  if (typeof key !== 'string' || key === '') return 'is not a text';
  if (key.length > MAX_KEY_LENGTH) return `is longer than ${MAX_KEY_LENGTH} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  return /[\u0000-\u001f]/.test(key) ? `${shown(key)} has control characters` : undefined;
}

function keep(rows: readonly (readonly [string, Remote])[], tables: PlanTables): void {
  const added = tables.remote.add(rows);
  const again = rows.filter((_, index) => added[index] === false);
  if (again.length > 0) tables.remote.put(again.map(([place, remote]) => [place, { ...remote, twice: true }]));
}

function gapsOf(gaps: readonly RemoteGap[], mask: (text: string) => string): Gaps {
  const isWhole = gaps.some(({ kinds }) => kinds === undefined);
  const kinds = new Set(gaps.flatMap(({ kinds: named }) => named ?? []));
  return {
    said: gaps.map(({ gap, reason }) => maskedSaid(worded`${{ what: gap }}: ${{ reason }}`, mask)),
    has: (kind) => isWhole || kinds.has(kind),
  };
}
