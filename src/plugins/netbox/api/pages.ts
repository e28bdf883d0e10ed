import { isJsonObject } from '../../../kit/json/json-object.ts';
import { ANSWER_REMEDY, WholeList } from '../../../kit/records/whole-list.ts';
import { worded } from '../../../kit/worded.ts';
import {
  AppError,
  type HttpClient,
  type HttpContext,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
} from '../../../ports/index.ts';

export type Query = NonNullable<HttpRequest['query']>;

export interface PageRequest {
  readonly path: string;
  readonly query: Query;
  /** Objects a page. A server may give fewer. */
  readonly size: number;
  /** True if the server continues from an id by itself (`start`), as NetBox 4.7 does; otherwise the ids are a filter. */
  readonly hasCursor: boolean;
}

/**
 * Every page of a list, in the order of the ids. Each begins behind the last id of the one before and not at a number of objects, so that
 * none is passed over because others come or go meanwhile.
 */
export async function* pages(
  client: HttpClient,
  { path, query, size, hasCursor }: PageRequest,
  context: HttpContext,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  let read = 0;
  for (let from = 0; ; ) {
    const place: Query = hasCursor ? { start: from } : { ordering: 'id', ...(from === 0 ? {} : { id__gte: from }) };
    const { value = null, ...head } = await client.json({ path, query: { ...query, ...place, limit: size } }, context);
    const { results, next } = pageOf(value, path);
    read = hasCursor ? read + results.length : results.length;
    const isEnd = next === null || next === undefined;
    const asked = { member: 'limit', value: size };
    const refusal = new WholeList([], 'results')
      .document(value, ['results'])
      .head(head.status, head.headers)
      .refusal(isEnd ? { records: read, elements: results.length, asked, remedy: ANSWER_REMEDY } : undefined);
    if (refusal !== undefined)
      throw new AppError('failed', worded`the answer to ${{ path }} is not the whole list: ${{ reason: refusal }}`);
    yield results;
    if (isEnd) return;
    const last = results.at(-1)?.id;
    if (typeof last !== 'number' || last < from) {
      throw new AppError(
        'failed',
        worded`${{ path }} says that there are more pages, and gives no id from which they go on`,
      );
    }
    from = last + 1;
  }
}

interface Page {
  readonly results: readonly JsonObject[];
  readonly next: JsonValue | undefined;
}

function pageOf(value: JsonValue | undefined, path: string): Page {
  const { results, next } = isJsonObject(value) ? value : {};
  if (!Array.isArray(results) || !results.every(isJsonObject)) {
    throw new AppError(
      'failed',
      worded`the answer to ${{ path }} is not a list of objects; the address must be that of a NetBox`,
    );
  }
  return { results: results as readonly JsonObject[], next };
}
