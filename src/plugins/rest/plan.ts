import { headersOf } from '../../app/kernel/options/http-headers.ts';
import { AppError, type SourceAccount } from '../../ports/index.ts';
import type { RequestValues } from '../shared/http-account/request-template.ts';
import { RecordMaker } from '../shared/records/record-maker.ts';
import { type Join, joinEntries, joinsOf } from './join.ts';
import { type ListRequest, listRequest } from './list-request.ts';
import { RecordMapper } from './map.ts';
import { type AccountOptions, complete, type RestOptions } from './options.ts';
import { completed, valuesOf, withAddress } from './parameters.ts';
import { NO_MAPPING, SOURCE_PRESETS } from './preset.ts';
import { namedPreset } from './preset-files.ts';

/** What one run asks for, and what becomes of it. */
export interface RestPlan {
  /** What the system is called. */
  readonly title: string;
  readonly options: RestOptions;
  /** Lists that are read one after the other, each with what it is called among several. */
  readonly lists: readonly { readonly called: string; readonly request: ListRequest }[];
  readonly joins: readonly Join[];
  readonly mapper: RecordMapper;
}

export interface PlanRequest {
  readonly options: AccountOptions;
  readonly account: SourceAccount;
  /** Values of parameters that are options of their own. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Presets of the operator. */
  readonly folder: string;
}

/** Throws `AppError('invalid_input')` for options that cannot work. */
export async function planOf({ options: given, account, parameters, folder }: PlanRequest): Promise<RestPlan> {
  const preset = typeof given.preset === 'string' ? await namedPreset(SOURCE_PRESETS, given.preset, folder) : undefined;
  const options = withAddress(completed(preset, given, complete, ['join']), preset, account);
  const values = valuesOf(options, preset, account, parameters);
  const headers = {
    ...headersOf('custom_headers', options.custom_headers ?? ''),
    ...headersOf('request_headers', options.request_headers ?? ''),
  };
  const entries = options.join === '' ? (preset?.join ?? []) : joinEntries(options.join);
  return {
    title: preset?.title ?? 'JSON over HTTP',
    options,
    lists: repeated(options, values).map(({ called, filled }) => ({
      called,
      request: listRequest(options, filled, headers),
    })),
    joins: joinsOf(entries, values, headers),
    mapper: new RecordMapper(await RecordMaker.of(options), preset?.map ?? NO_MAPPING),
  };
}

function partsOf(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function repeated(
  { repeat }: RestOptions,
  values: RequestValues,
): readonly { readonly called: string; readonly filled: RequestValues }[] {
  if (repeat === undefined) return [{ called: '', filled: values }];
  const parts = partsOf(String(values[repeat] ?? ''));
  if (parts.length === 0)
    throw new AppError('invalid_input', `repeat names the parameter ${repeat}, which has no value`);
  return parts.map((part) => ({ called: parts.length === 1 ? '' : part, filled: { ...values, [repeat]: part } }));
}
