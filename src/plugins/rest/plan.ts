import { headersOf } from '../../app/kernel/options/http-headers.ts';
import type { SourceAccount } from '../../ports/index.ts';
import { RecordMaker } from '../shared/records/record-maker.ts';
import { type Join, joinEntries, joinsOf } from './join.ts';
import { RecordMapper } from './map.ts';
import { type AccountOptions, complete, type RestOptions } from './options.ts';
import { completed, valuesOf, withAddress } from './parameters.ts';
import { NO_MAPPING, SOURCE_PRESETS } from './preset.ts';
import { namedPreset } from './preset-files.ts';
import { type RepeatedList, repeatedLists } from './repeated-lists.ts';

/** What one run asks for, and what becomes of it. */
export interface RestPlan {
  /** What the system is called. */
  readonly title: string;
  readonly options: RestOptions;
  /** Lists that are read one after the other. */
  readonly lists: readonly RepeatedList[];
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
    lists: repeatedLists(options, values, headers),
    joins: joinsOf(entries, values, headers),
    mapper: new RecordMapper(await RecordMaker.of(options), preset?.map ?? NO_MAPPING),
  };
}
