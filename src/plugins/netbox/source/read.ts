import {
  AppError,
  type HttpContext,
  HttpError,
  type ReadContext,
  type SourceAccount,
  type SourceItem,
  type SourceServices,
} from '../../../ports/index.ts';
import { ahead, withBeats } from '../../shared/records/beats.ts';
import { ENDPOINTS } from '../api/endpoints.ts';
import { type NetBoxApi, openApi } from '../api/open-api.ts';
import type { Query } from '../api/pages.ts';
import type { NetBoxOptions } from '../options.ts';
import { readImportFilter, readPartFilters } from './filters.ts';
import { type HostMapping, hostItem } from './hosts.ts';
import { HostNames } from './names.ts';
import { PART_IDS, type PartId } from './parts.ts';
import { sharedNames } from './shared-names.ts';

export interface NetBoxReading {
  readonly options: NetBoxOptions;
  readonly account: SourceAccount;
  readonly services: SourceServices;
}

/** Reads what the account names, or the one part that is asked for. Memory holds two pages. */
export async function* readNetBox(
  { options, account, services }: NetBoxReading,
  { signal, part }: ReadContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const stop = new AbortController();
  const context = { signal: AbortSignal.any([signal, stop.signal]) };
  const api = await openApi(options, account, services, context);
  try {
    const parts = part === undefined ? options.parts : PART_IDS.filter((id) => id === part);
    yield* withBeats(itemsOf(api, options, parts, context));
  } finally {
    // What was asked for ahead is of no use any more.
    stop.abort(new Error('nobody reads on'));
    await api.http.close();
  }
}

async function* itemsOf(
  api: NetBoxApi,
  options: NetBoxOptions,
  parts: readonly PartId[],
  context: HttpContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const names = await hostNames(api, options, context);
  for (const part of parts) {
    try {
      yield* hostsOf(api, options, { part, names, ...mappingOf(options) }, context);
    } catch (error) {
      if (!isGap(error)) throw error;
      yield [{ kind: 'gap', what: ENDPOINTS[part].title, reason: reasonOf(error, part) }];
    }
  }
}

/** Which names are not unique is asked for where that changes any of them. */
async function hostNames(api: NetBoxApi, options: NetBoxOptions, context: HttpContext): Promise<HostNames> {
  if (options.duplicate_hostname === '') return new HostNames(options, new Set());
  const parts = options.parts.map((part) => ({ part, filter: filterOf(options, part) }));
  return new HostNames(options, await sharedNames(api, parts, context));
}

async function* hostsOf(
  api: NetBoxApi,
  options: NetBoxOptions,
  mapping: HostMapping,
  context: HttpContext,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  const { part } = mapping;
  const query = { ...filterOf(options, part), ...(options.config_context ? {} : { exclude: 'config_context' }) };
  const list = api.list({ path: ENDPOINTS[part].path, query, size: options.page_size }, context);
  let leftOut = 0;
  for await (const page of ahead(list)) {
    const items = page.flatMap((object) => hostItem(object, mapping) ?? []);
    leftOut += page.length - items.length;
    yield items;
  }
  if (leftOut > 0) {
    const reason = 'in a virtual chassis with another master, and virtual_chassis is master';
    yield [{ kind: 'left_out', count: leftOut, reason }];
  }
}

function mappingOf(options: NetBoxOptions): Pick<HostMapping, 'references' | 'relations' | 'mastersOnly'> {
  const { references, relations, virtual_chassis } = options;
  return { references, relations, mastersOnly: virtual_chassis === 'master' };
}

function filterOf({ import_filter, part_filters }: NetBoxOptions, part: PartId): Query {
  return readPartFilters(part_filters, PART_IDS).get(part) ?? readImportFilter(import_filter);
}

/** A part that cannot be read, however often it was tried, while the others may be. */
function isGap(error: unknown): error is AppError {
  if (error instanceof HttpError)
    return error.fault !== 'unauthenticated' && error.fault !== 'tls' && error.fault !== 'proxy';
  return error instanceof AppError && error.code === 'failed';
}

function reasonOf(error: AppError, part: PartId): string {
  if (!(error instanceof HttpError) || error.status !== 403) return error.message;
  return `the user of the token lacks the permission ${ENDPOINTS[part].view}; give it in NetBox, or leave ${part} out of parts`;
}
