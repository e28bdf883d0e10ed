import * as z from 'zod';
import { refuseLogin } from '../../kit/http-account/refuse-login.ts';
import { headersOf } from '../../kit/options/http-headers.ts';
import { RecordMaker, type RecordOptions } from '../../kit/records/record-maker.ts';
import { AppError, type JsonObject, type SectionFill, type SourceAccount } from '../../ports/index.ts';
import { type Join, joinEntries, joinsOf } from './join.ts';
import { listRequest } from './list-request.ts';
import { RecordMapper } from './map.ts';
import { type AccountOptions, complete, type RestOptions, recordMembers, requestMembers } from './options.ts';
import { completed, valuesOf, withAddress } from './parameters.ts';
import { type Mapping, mappingSchema, NO_MAPPING, SOURCE_PRESETS } from './preset.ts';
import { namedPreset, presetOption } from './preset-files.ts';
import { type RepeatedList, repeatedLists } from './repeated-lists.ts';
import { TypedRecords, type TypeOptions } from './typed-records.ts';

/** Lists whose records become the same. */
export interface RecordSet {
  /** Lists that are read one after the other. */
  readonly lists: readonly RepeatedList[];
  readonly joins: readonly Join[];
  readonly mapper: RecordMapper;
}

/** The requests of one run, and the processing of their results. */
export interface RestPlan extends RecordSet {
  /** The display name of the system. */
  readonly title: string;
  readonly options: RestOptions;
  /** Further lists, whose records are objects. */
  readonly objects: readonly (RecordSet & { readonly called: string })[];
}

export interface PlanRequest {
  readonly options: AccountOptions;
  readonly account: SourceAccount;
  /** Values of parameters that are options of their own. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Presets of the operator. */
  readonly folder: string;
  /** Returns the section content of a record; absent: the whole record. */
  readonly fills?: (record: JsonObject) => SectionFill;
}

/** Throws `AppError('invalid_input')` for options that cannot work. */
export async function planOf({ options: given, account, parameters, folder, fills }: PlanRequest): Promise<RestPlan> {
  const preset = typeof given.preset === 'string' ? await namedPreset(SOURCE_PRESETS, given.preset, folder) : undefined;
  const options = withAddress(completed(preset, given, complete, ['join', 'objects']), preset, account);
  const values = valuesOf(options, preset, account, parameters);
  const headers = {
    ...headersOf('custom_headers', options.custom_headers ?? ''),
    ...headersOf('request_headers', options.request_headers ?? ''),
  };
  const entries = options.join === '' ? (preset?.join ?? []) : joinEntries(options.join);
  const further = objectLists(options.objects, preset?.objects ?? {});
  // If some records are objects, the others are marked as hosts.
  const typed = further.length === 0 ? options : { ...options, record_type: options.record_type ?? 'host' };
  return {
    title: preset?.title ?? 'JSON over HTTP',
    options,
    lists: repeatedLists(options, values, headers),
    joins: joinsOf(entries, values, headers),
    mapper: await mapperOf(typed, preset?.map ?? NO_MAPPING, fills),
    objects: await Promise.all(
      further.map(async (list) => ({
        called: list.called,
        lists: [{ called: list.called, request: listRequest(list, values, headers) }],
        joins: joinsOf(list.join, values, headers),
        mapper: await mapperOf(list, list.map),
      })),
    ),
  };
}

/**
 * Validates options that hold a document when they are saved; list names are not checked, as they belong to a preset, which may
 * change.
 */
export function refuseOptions(options: AccountOptions): void {
  const { join, objects = '' } = options;
  // A preset may have the rest of the login.
  if (options.preset === undefined) refuseLogin(options);
  joinsOf(joinEntries(typeof join === 'string' ? join : ''), {}, {});
  if (typeof objects === 'string' && /^\s*[[{]/.test(objects)) objectLists(objects, {});
}

async function mapperOf(
  options: RecordOptions & TypeOptions,
  mapping: Mapping,
  fills?: PlanRequest['fills'],
): Promise<RecordMapper> {
  return new RecordMapper(await RecordMaker.of(options), mapping, new TypedRecords(options, fills));
}

const objectListSchema = z.strictObject({
  ...requestMembers(),
  ...recordMembers(),
  body: presetOption.pipe(z.string()).default(''),
  record_type: z.string().trim().min(1).max(64),
  hostname_field: z.string().min(1).default('name'),
  join: z.array(z.record(z.string(), presetOption)).default([]),
  map: mappingSchema.prefault({}),
});

/** A further list whose records are objects. */
type ObjectList = z.output<typeof objectListSchema> & {
  /** The display name of the list. */
  readonly called: string;
};

/** Returns the lists that the option `objects` names or contains. Throws `AppError('invalid_input')` for invalid ones. */
function objectLists(option: string, offered: Readonly<Record<string, unknown>>): readonly ObjectList[] {
  const text = option.trim();
  if (text === '') return [];
  if (/^[[{]/.test(text)) return entriesOf(text).map((entry, index) => checked(entry, `number ${index + 1}`));
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    if (Object.hasOwn(offered, name)) return checked(offered[name], name);
    const known = Object.keys(offered).join(', ');
    throw invalid(`names ${name}, which the preset does not have; it has ${known || 'none'}`);
  });
}

function entriesOf(text: string): readonly unknown[] {
  try {
    const entries: unknown = JSON.parse(text);
    return Array.isArray(entries) ? entries : [entries];
  } catch {
    throw invalid('must be names of lists, or a JSON list of objects');
  }
}

function checked(entry: unknown, called: string): ObjectList {
  const result = objectListSchema.safeParse(entry);
  if (result.success) return { ...result.data, called: /^number /.test(called) ? result.data.record_type : called };
  const details = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  throw invalid(`${called} is not valid: ${details.join('; ')}`);
}

function invalid(message: string): AppError {
  return new AppError('invalid_input', `objects ${message}`);
}
