import { httpClientOf } from '../../kit/http-account/client.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { namesOfPath } from '../../kit/json/member-path.ts';
import { withBeats } from '../../kit/records/heartbeat.ts';
import { NamedRows } from '../../kit/records/named-rows.ts';
import { valuesAt } from '../../kit/records/record-path.ts';
import { ANSWER_REMEDY, speaksOfList, WholeList } from '../../kit/records/whole-list.ts';
import { phrase, saidBy, worded } from '../../kit/worded.ts';
import {
  AppError,
  type HttpClient,
  HttpError,
  type JsonValue,
  type ReadContext,
  type SourceItem,
  type SourceServices,
} from '../../ports/index.ts';
import { FIRST_PLACE } from './list-request.ts';
import { type PlanRequest, planOf, type RecordSet, type RestPlan } from './plan.ts';
import { isGap, readList } from './read-list.ts';
import { WholeRecords } from './whole-records.ts';

export interface RestRequest extends PlanRequest {
  readonly services: SourceServices;
}

const BATCH_SIZE = 500;

/** Reads everything that an account asks for, in batches. Memory holds two pages, and what is joined. */
export async function* readRest(
  request: RestRequest,
  { signal, inventorizes }: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const plan = await planOf(request);
  const stop = new AbortController();
  const context = { signal: AbortSignal.any([signal, stop.signal]) };
  const client = await httpClientOf(plan.options, request.account, request.services, context);
  try {
    yield* withBeats(itemsOf(plan, client, context));
    yield plan.mapper.leftOut();
    // Objects are not hosts, so they have no sections to fill.
    for (const set of inventorizes === true ? [] : plan.objects) {
      yield* withBeats(objectsOf(plan, set, client, context));
      yield set.mapper.leftOut();
    }
  } finally {
    // Requests sent ahead are no longer needed.
    stop.abort(new Error('the reader stopped'));
    await client.close();
  }
}

interface Context {
  readonly signal: AbortSignal;
}

async function* itemsOf(
  plan: RestPlan,
  client: HttpClient,
  context: Context,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  if (plan.options.records === 'by_name') {
    yield* recordsByName(plan, client, context);
    return;
  }
  yield* recordsOf(plan, plan.options.join_requests, client, context);
}

/** Yields the records of one of several lists of objects; if it cannot be read, the others are unaffected. */
async function* objectsOf(
  { options }: RestPlan,
  set: RestPlan['objects'][number],
  client: HttpClient,
  context: Context,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  try {
    yield* recordsOf(set, options.join_requests, client, context);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    yield [{ kind: 'gap', what: set.called, reason: saidBy(error) }];
  }
}

function isForbidden(error: unknown): error is HttpError {
  return error instanceof HttpError && error.status === 403;
}

async function* recordsOf(
  set: RecordSet,
  most: number,
  client: HttpClient,
  context: Context,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const whole = await WholeRecords.of(client, set.joins, most, context);
  for (const { called, request } of set.lists) {
    const prefix = called === '' ? '' : `${called}, `;
    let count = 0;
    const rows = new NamedRows();
    try {
      for await (const part of readList(client, request, context)) {
        if (part.kind === 'gap') {
          yield [called === '' ? part : { ...part, what: worded`${{ list: called }}, ${{ part: part.what }}` }];
          continue;
        }
        const page = part.page === undefined ? '' : `page ${part.page}, `;
        if (part.page !== undefined) count = 0;
        for (let start = 0; start < part.records.length; start += BATCH_SIZE) {
          const batch = part.records.slice(start, start + BATCH_SIZE).flatMap((element) => {
            const record = rows.record(element);
            return record === undefined ? [] : [record];
          });
          const position = (index: number): string => `${prefix}${page}record ${count + index + 1}`;
          yield await mapped(set, whole, batch, { position, answer: part.answer }, context);
          count += batch.length;
        }
      }
    } catch (error) {
      // One of several lists may be missing without affecting the others.
      if (called === '' || !isGap(error)) throw error;
      yield [{ kind: 'gap', what: called, reason: saidBy(error) }];
    }
  }
}

/** Maps the records of one response. */
async function mapped(
  { mapper }: RecordSet,
  whole: WholeRecords,
  records: readonly JsonValue[],
  { position, answer }: { readonly position: (index: number) => string; readonly answer: JsonValue },
  context: Context,
): Promise<readonly SourceItem[]> {
  const map = mapper.in(answer);
  if (whole.isAlone) return records.flatMap((record, index) => map(record, position(index)) ?? []);
  const detailed = await whole.of(records, context);
  return detailed.flatMap((found, index): readonly SourceItem[] => {
    const place = position(index);
    const item = map(found.record, place);
    const others = item === undefined ? [] : [item];
    if (found.ok || (item === undefined && mapper.surelyLeavesOut(found.record, place))) return others;
    const hostname = item?.kind === 'record' ? item.hostname : undefined;
    const gap = {
      kind: 'gap',
      what: worded`what belongs to ${{ hostname: hostname ?? place }}`,
      reason: found.reason,
    } as const;
    // The missing part may have the name, or a member that the filter asks for.
    if (hostname === undefined) return [...others, gap];
    // Half a record would take labels from its host: it is left as it is, and known to be there.
    return [{ kind: 'skipped', position: place, hostname, reason: phrase`what belongs to it could not be read` }, gap];
  });
}

/** An object of records is one document, whose members are the records. */
async function* recordsByName(
  { lists, mapper, options, joins }: RestPlan,
  client: HttpClient,
  context: Context,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  if (joins.length > 0) throw new AppError('invalid_input', worded`join does not go with records=by_name`);
  for (const { request } of lists) {
    const { value = null, ...head } = await client.json(request.at(FIRST_PLACE), context);
    const key = options.data_key === '.' ? '' : (options.data_key ?? '');
    const [found] = valuesAt(value, key) ?? [];
    if (!isJsonObject(found)) {
      throw new AppError(
        'failed',
        key === ''
          ? worded`the answer has no object of records; check data_key`
          : worded`the answer has no object of records at ${{ path: key }}; check data_key`,
      );
    }
    const whole = new WholeList(options.ignored_members, key).head(head.status, head.headers);
    if (key !== '') whole.document(value, namesOfPath(key));
    const entries = Object.entries(found).filter(([name, element]) => {
      const isHost = key !== '' || element === undefined || !speaksOfList(name, element);
      if (!isHost) whole.member([name], element);
      return isHost;
    });
    const missing = whole.missing({ records: entries.length, remedy: ANSWER_REMEDY });
    yield [...whole.failures(), ...(missing === undefined ? [] : [missing])];
    for (let start = 0; start < entries.length; start += BATCH_SIZE) {
      yield entries
        .slice(start, start + BATCH_SIZE)
        .flatMap(([name, element]) => mapper.named(name, element ?? null) ?? []);
    }
  }
}
