import { setOwn } from '../../../kit/file-source/own-property.ts';
import type { RequestValues } from '../../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../../kit/json/json-object.ts';
import { isList, stepsIntoLists, valuesAt } from '../../../kit/records/record-path.ts';
import { type Said, saidBy, worded } from '../../../kit/worded.ts';
import {
  type HttpClient,
  HttpError,
  type JsonObject,
  type JsonValue,
  type RemoteGap,
  type RemoteObject,
  type RemoteReading,
} from '../../../ports/index.ts';
import { type ListPart, readList } from '../read-list.ts';
import { WholeRecords } from '../whole-records.ts';
import type { CompiledField, CompiledKind } from './compile-kind.ts';
import { typedValue } from './typed-value.ts';
import { textOfValue } from './value-template.ts';
import { elementsAt } from './write-request.ts';

const BATCH_SIZE = 500;

/** Keys of objects by their ids, of kinds that others refer to. */
type KnownKeys = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Everything that the system has of all kinds. A kind that cannot be read as a whole is a gap, and so are those that refer to it. */
export async function* readObjects(
  kinds: readonly CompiledKind[],
  client: HttpClient,
  most: number,
  context: RemoteReading,
): AsyncGenerator<readonly (RemoteObject | RemoteGap)[], void, undefined> {
  const referredTo = new Set(kinds.flatMap(({ fields }) => fields.flatMap(({ reference }) => reference ?? [])));
  const keys = new Map<string, Map<string, string>>([...referredTo].map((kind) => [kind, new Map()]));
  const lacking = new Set<string>();
  for (const kind of kinds) {
    const { id, title } = kind.declared;
    const missing = kind.fields.find(({ reference }) => reference !== undefined && lacking.has(reference))?.reference;
    if (missing !== undefined) {
      lacking.add(id);
      yield [
        {
          gap: title,
          reason: worded`they refer to ${{ kind: missing }}, which could not be read as a whole`,
          kinds: [id],
        },
      ];
      continue;
    }
    for await (const batch of readKind(kind, { client, most, keys }, context)) {
      if (batch.some((item) => 'gap' in item)) lacking.add(id);
      const known = keys.get(id);
      if (known !== undefined) for (const item of batch) if ('id' in item) known.set(item.id, item.key);
      context.progress();
      yield batch;
    }
  }
}

interface Reading {
  readonly client: HttpClient;
  readonly most: number;
  readonly keys: KnownKeys;
}

async function* readKind(
  kind: CompiledKind,
  { client, most, keys }: Reading,
  context: RemoteReading,
): AsyncGenerator<readonly (RemoteObject | RemoteGap)[], void, undefined> {
  const { id, title } = kind.declared;
  const gap = (what: Said, reason: Said): RemoteGap => ({ gap: what, reason, kinds: [id] });
  try {
    const whole = await WholeRecords.of(client, kind.joins, most, context);
    for await (const part of readLists(client, kind.lists, context)) {
      if (part.kind === 'gap') {
        yield [gap(worded`${{ list: title }}, ${{ part: part.what }}`, part.reason)];
        continue;
      }
      for (let start = 0; start < part.records.length; start += BATCH_SIZE) {
        const records = part.records.slice(start, start + BATCH_SIZE);
        const found = await whole.of(records, context);
        yield found.flatMap((one): readonly (RemoteObject | RemoteGap)[] => {
          const object = remoteObject(kind, one.record, keys);
          if (one.ok) return object === undefined ? [] : [object];
          // The missing part may have its key.
          const called = object === undefined ? id : `${id} ${object.key}`;
          return [gap(worded`what belongs to ${{ hostname: called }}`, one.reason)];
        });
      }
    }
  } catch (error) {
    // Without an answer at all, or without a login, there is nothing to go on with.
    if (!(error instanceof HttpError) || error.status === undefined || error.status === 401) throw error;
    yield [gap(title, saidBy(error))];
  }
}

async function* readLists(
  client: HttpClient,
  lists: CompiledKind['lists'],
  context: RemoteReading,
): AsyncGenerator<ListPart, void, undefined> {
  for (const { called, request } of lists) {
    for await (const part of readList(client, request, context)) {
      yield part.kind === 'gap' && called !== ''
        ? { ...part, what: worded`${{ list: called }}, ${{ part: part.what }}` }
        : part;
    }
  }
}

/** Returns the object of a record; `undefined` if it has neither key nor id, as nothing can refer to it. */
function remoteObject(kind: CompiledKind, record: JsonValue, keys: KnownKeys): RemoteObject | undefined {
  if (!isJsonObject(record)) return undefined;
  const id = scalarAt(record, kind.id);
  const key = keyOf(kind, record);
  if (id === '' || key === '') return undefined;
  const etag = kind.etag === undefined ? '' : scalarAt(record, kind.etag);
  const fields = fieldsOf(kind.fields, record, keys);
  const wholes = kind.fields.flatMap(({ name, reference = '' }) => {
    const whole = fields[name];
    return typeof whole === 'string' && kind.declared.partOf?.includes(reference)
      ? [{ kind: reference, key: whole }]
      : [];
  });
  return {
    kind: kind.declared.id,
    key,
    id,
    fields,
    owner: ownerOf(kind.owner, record),
    ...(wholes.length > 0 && { partOf: wholes }),
    ...(etag === '' ? {} : { etag }),
  };
}

/** Longer keys, and those with control characters, cannot be names that a host would want. */
const MOST_CHARACTERS = 1_000;

function keyOf({ key }: CompiledKind, record: JsonObject): string {
  const found = (typeof key === 'string' ? scalarAt(record, key) : key(record as RequestValues)).trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  return found.length > MOST_CHARACTERS || /[\u0000-\u001f]/.test(found) ? '' : found;
}

function fieldsOf(fields: readonly CompiledField[], record: JsonObject, keys: KnownKeys): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const { name, member, reference, type } of fields) {
    if (member === undefined) continue;
    const found = valuesAt(record, member);
    if (found === undefined) continue;
    const [only = null] = found;
    const value = stepsIntoLists(member) ? elementsAt(record, member) : only;
    const known = reference === undefined ? undefined : keys.get(reference);
    setOwn(made, name, typedValue(known === undefined ? value : keysOf(value, known), type));
  }
  return made;
}

/** Ids become keys. What no object has stays an id, which no host wants. */
function keysOf(value: JsonValue, known: ReadonlyMap<string, string>): JsonValue {
  if (isList(value)) return value.map((one) => keysOf(one, known));
  const id = textOfValue(value);
  return id === '' ? null : (known.get(id) ?? id);
}

function ownerOf(owner: CompiledKind['owner'], record: JsonObject): RemoteObject['owner'] {
  if (owner === undefined) return 'nobody';
  const marks = elementsAt(record, owner.member).map(textOfValue);
  if (marks.includes(owner.ours)) return 'us';
  return marks.every((mark) => mark === '') ? 'nobody' : owner.others;
}

function scalarAt(record: JsonObject, path: string): string {
  const [value] = valuesAt(record, path) ?? [];
  return typeof value === 'object' ? '' : textOfValue(value);
}
