import * as z from 'zod';
import { setOwn } from '../../kit/file-source/own-property.ts';
import type { RequestValues } from '../../kit/http-account/request-template.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { namesOfPath } from '../../kit/json/member-path.ts';
import { flag } from '../../kit/options/values.ts';
import { isList, valuesAt } from '../../kit/records/record-path.ts';
import { WholeList } from '../../kit/records/whole-list.ts';
import { phrase, type Said, saidBy, worded } from '../../kit/worded.ts';
import {
  AppError,
  type HttpClient,
  HttpError,
  type HttpHead,
  type HttpQueryValue,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  type Wording,
} from '../../ports/index.ts';
import { FIRST_PLACE, type ListRequest, listRequest } from './list-request.ts';
import { requestMembers } from './options.ts';
import { isGap, readList } from './read-list.ts';

/** Joined lists are held in memory. */
const MOST_JOINED = 500_000;
/** After this many failures in a row, the cause is the system, not a single record. */
const MOST_FAILURES = 20;

const joinSchema = z.strictObject({
  ...requestMembers(),
  path: z.string().min(1),
  /** The member of the record that names what belongs to it. */
  on: z.string().min(1).optional(),
  /** The member of what is joined that it is named by. */
  key: z.string().min(1).default('id'),
  /** The member that it becomes; absent: its members become those of the record. */
  as: z.string().min(1).optional(),
  /** Several may belong to one record. */
  many: flag().default(false),
  /** Members of what belongs to it become its own, called `as_member`. */
  flat: flag().default(false),
});

type JoinOptions = z.output<typeof joinSchema>;

export interface Join {
  readonly options: JoinOptions;
  readonly request: ListRequest;
  /** A request for each record. */
  readonly isForEach: boolean;
}

export function joinsOf(
  entries: readonly unknown[],
  values: RequestValues,
  headers: Readonly<Record<string, string>>,
): readonly Join[] {
  return entries.map((entry, index) => {
    const number = String(index + 1);
    const checked = joinSchema.safeParse(entry);
    if (!checked.success) {
      const details = checked.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
      throw invalid(worded`number ${{ number }} is not valid: ${{ details: details.join('; ') }}`);
    }
    const options = checked.data;
    if (options.flat && options.as === undefined)
      throw invalid(worded`number ${{ number }} needs as, since it is flat`);
    const isForEach =
      /\{[^{}]+\}/.test(`${options.path} ${options.query} ${options.body}`.replaceAll(/\{\{.*?\}\}/gs, '')) &&
      options.on === undefined;
    if (!isForEach && options.on === undefined) {
      throw invalid(
        worded`number ${{ number }} needs on, the member of a record that names what belongs to it, or ${{ place: '{member}' }} in its path`,
      );
    }
    return { options, request: listRequest(options, values, headers), isForEach };
  });
}

/** The option as text. */
export function joinEntries(text: string): readonly unknown[] {
  if (text.trim() === '') return [];
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries : [entries];
  } catch {
    throw invalid(worded`must be a JSON list of objects`);
  }
}

function invalid(problem: Wording): AppError {
  return new AppError('invalid_input', worded`join ${{ problem }}`);
}

/** Joined elements, by the value that records refer to them with. */
export type JoinedList = ReadonlyMap<string, readonly JsonValue[]>;

/** Reads a list that is joined. Without all of it no record is whole, so it throws for whatever is missing. */
export async function readJoined(
  client: HttpClient,
  { options, request }: Join,
  context: { readonly signal: AbortSignal },
): Promise<JoinedList> {
  const found = new Map<string, JsonValue[]>();
  let count = 0;
  for await (const part of readList(client, request, context)) {
    if (part.kind === 'gap') {
      throw new AppError(
        'failed',
        worded`${{ path: options.path }}, which belongs to the records, cannot be read as a whole: ${{ what: part.what }}: ${{ reason: part.reason }}`,
      );
    }
    for (const record of part.records) {
      const [key] = valuesAt(record, options.key) ?? [];
      if (key === undefined || key === null) continue;
      if (++count > MOST_JOINED)
        throw new AppError(
          'failed',
          worded`${{ path: options.path }} has more than ${{ most: String(MOST_JOINED) }} records, which is too many to join`,
        );
      const name = String(key);
      const others = found.get(name);
      if (others === undefined) found.set(name, [record]);
      else others.push(record);
    }
  }
  return found;
}

/** The record with what belongs to it. */
export function joined(record: JsonValue, { options }: Join, list: JoinedList): JsonValue {
  if (!isJsonObject(record)) return record;
  const keys = (valuesAt(record, options.on ?? '') ?? []).flatMap((found) => (isList(found) ? found : [found]));
  const found = keys.flatMap((key) => list.get(String(key)) ?? []);
  const [first] = found;
  if (options.flat) return { ...record, ...flatEntries(options.as ?? '', found) };
  if (options.many) return withMember(record, options.as ?? options.path, found);
  if (first === undefined) return record;
  if (options.as !== undefined) return withMember(record, options.as, first);
  return isJsonObject(first) ? { ...first, ...record } : record;
}

export type Detailed =
  | { readonly ok: true; readonly record: JsonValue }
  | { readonly ok: false; readonly record: JsonValue; readonly reason: Said };

/** Asks for what belongs to single records, some at a time. */
export class Details {
  readonly #client: HttpClient;
  readonly #joins: readonly Join[];
  readonly #most: number;
  readonly #base: string;
  #failuresInARow = 0;

  constructor(client: HttpClient, joins: readonly Join[], most: number) {
    this.#client = client;
    this.#base = client.url;
    this.#joins = joins;
    this.#most = most;
  }

  /** In the order of the records. */
  async of(records: readonly JsonValue[], context: { readonly signal: AbortSignal }): Promise<readonly Detailed[]> {
    const found: Detailed[] = new Array(records.length);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < records.length) {
        const index = next++;
        found[index] = await this.#one(records[index] as JsonValue, context);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#most, records.length) }, work));
    return found;
  }

  async #one(record: JsonValue, context: { readonly signal: AbortSignal }): Promise<Detailed> {
    let whole = record;
    try {
      for (const join of this.#joins) whole = await this.#joined(whole, join, context);
      this.#failuresInARow = 0;
      return { ok: true, record: whole };
    } catch (error) {
      if (!isGap(error) || ++this.#failuresInARow >= MOST_FAILURES) throw error;
      return { ok: false, record, reason: saidBy(error) };
    }
  }

  async #joined(
    record: JsonValue,
    { options, request }: Join,
    context: { readonly signal: AbortSignal },
  ): Promise<JsonValue> {
    if (!isJsonObject(record)) return record;
    const asked = filled(request.at(FIRST_PLACE), record, this.#base);
    if (asked === undefined) return record;
    const { value = null, ...head } = await this.#client.json(asked, context);
    const path = options.data_key === undefined || options.data_key === '.' ? '' : options.data_key;
    const values = path === '' ? [value] : (valuesAt(value, path) ?? []);
    refusePart(options, path, values, value, head);
    const [first] = values;
    if (first === undefined) return record;
    if (options.flat) {
      const entries = values.flatMap((found) => (isList(found) ? found : [found]));
      return { ...record, ...flatEntries(options.as ?? '', entries) };
    }
    if (options.as !== undefined) return withMember(record, options.as, values.length === 1 ? first : values);
    return isJsonObject(first) ? { ...record, ...first } : record;
  }
}

/**
 * A list that belongs to a record is its whole, or the record is left as it is. An answer with anything else at the path is a record
 * itself, and one with nothing there may say why.
 */
function refusePart(
  { ignored_members }: JoinOptions,
  path: string,
  found: readonly JsonValue[],
  value: JsonValue,
  head: HttpHead,
): void {
  const lists = found.filter(isList);
  if (lists.length === 0 && found.some((one) => one !== null)) return;
  const names = path === '' ? [] : namesOfPath(path.replaceAll(/\[[^\][]*\]/g, ''));
  const whole = new WholeList(ignored_members, path).document(value, names).head(head.status, head.headers);
  const records = lists.reduce((sum, list) => sum + list.length, 0);
  const part = lists.length === 0 ? undefined : { records, remedy: phrase`ask for all of it in query` };
  const gap = [...whole.failures()][0] ?? (part && whole.missing(part));
  if (gap !== undefined) throw new HttpError('pages', worded`${{ what: gap.what }}: ${{ reason: gap.reason }}`);
}

function withMember(record: JsonObject, name: string, value: JsonValue): JsonObject {
  const made: Record<string, JsonValue> = { ...record };
  setOwn(made, name, value);
  return made;
}

const PLACE = /\{([^{}]+)\}/g;
/** A path that begins with a member. */
const LEAD = /^\/?\{([^{}]+)\}(.*)$/s;

/** The request with members of the record in its places; nothing where the record has none for one. */
function filled(request: HttpRequest, record: JsonObject, base: string): HttpRequest | undefined {
  let isMissing = false;
  const member = (path: string): JsonValue => {
    const [value] = valuesAt(record, path) ?? [];
    if (value === undefined || value === null) isMissing = true;
    return value ?? null;
  };
  const encoded = (text: string): string => {
    const [, lead = '', rest = ''] = LEAD.exec(text) ?? [];
    const address = lead === '' ? '' : scalarText(member(lead));
    // An address that the system gives itself, as Redfish and HAL do; the client sends it to this system alone.
    if (/^(?:https?:\/)?\//i.test(address) && URL.canParse(address, base))
      return new URL(address, base).href + encoded(rest);
    return text.replaceAll(PLACE, (_all, path: string) => encodeURIComponent(scalarText(member(path))));
  };
  const typed = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') {
      const lone = /^\{([^{}\s:"]+)\}$/.exec(value)?.[1];
      return lone === undefined ? value : member(lone);
    }
    if (isList(value)) return value.map(typed);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, typed(inner ?? null)]));
  };
  const placed = (value: HttpQueryValue): HttpQueryValue =>
    typeof value === 'string' ? value.replaceAll(PLACE, (_all, path: string) => scalarText(member(path))) : value;
  const query = Object.fromEntries(
    Object.entries(request.query ?? {}).map(([name, value]) => [
      name,
      value === undefined ? value : typeof value === 'object' ? value.map(placed) : placed(value),
    ]),
  );
  const made: HttpRequest = {
    ...request,
    path: encoded(request.path ?? ''),
    query,
    ...(request.json === undefined ? {} : { json: typed(request.json) }),
  };
  return isMissing ? undefined : made;
}

function scalarText(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * The members of entries under names of their own, without anything nested: `ip_hostname`, and of an object in an entry `ip_hostaddress_ref_title`.
 * Of several entries, or of several objects in a list, each has its number from 1: `ip_2_hostname`, `ip_zones_title_1`.
 */
function flatEntries(name: string, entries: readonly JsonValue[]): JsonObject {
  const made: Record<string, JsonValue> = {};
  for (const [index, entry] of entries.entries()) {
    if (!isJsonObject(entry)) continue;
    const called = entries.length === 1 ? name : `${name}_${index + 1}`;
    for (const [member, value = null] of Object.entries(entry)) {
      if (isJsonObject(value)) {
        for (const [inner, one = null] of Object.entries(value)) setOwn(made, `${called}_${member}_${inner}`, one);
      } else if (isList(value) && value.some(isJsonObject)) addList(made, `${called}_${member}`, value);
      else setOwn(made, `${called}_${member}`, value);
    }
  }
  return made;
}

function addList(made: Record<string, JsonValue>, called: string, list: readonly JsonValue[]): void {
  for (const [index, element] of list.entries()) {
    if (!isJsonObject(element)) continue;
    const number = list.length === 1 ? '' : `_${index + 1}`;
    for (const [inner, one = null] of Object.entries(element)) setOwn(made, `${called}_${inner}${number}`, one);
  }
}
