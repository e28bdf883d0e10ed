import { headersOf } from '../../app/kernel/options/http-headers.ts';
import { AppError, type SourceAccount } from '../../ports/index.ts';
import { compilePairs, type RequestValues } from '../shared/http-account/request-template.ts';
import { RecordMaker } from '../shared/records/record-maker.ts';
import { type Join, joinEntries, joinsOf } from './join.ts';
import { type ListRequest, listRequest } from './list-request.ts';
import { RecordMapper } from './map.ts';
import { type AccountOptions, complete, type RestOptions } from './options.ts';
import { NO_MAPPING, namedPreset, type Preset } from './preset.ts';

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
  const preset = typeof given.preset === 'string' ? await namedPreset(given.preset, folder) : undefined;
  const options = withAddress(completed(preset, given), preset, account);
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

/** Options of a preset that are none are its fault, and not that of the account. */
function completed(preset: Preset | undefined, given: AccountOptions): RestOptions {
  for (const name of ['url', 'preset', 'parameters', 'join']) {
    if (preset !== undefined && name in preset.options)
      throw new AppError('invalid_input', `the preset ${given.preset} must not have the option ${name}`);
  }
  try {
    return complete(preset?.options ?? {}, given);
  } catch (error) {
    const issues =
      error instanceof Error && 'issues' in error ? (error.issues as { path: unknown[]; message: string }[]) : [];
    const details = issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ');
    throw new AppError(
      'invalid_input',
      `the options of the preset ${given.preset} are not valid: ${details || String(error)}`,
    );
  }
}

/** A service that has only one address needs no other. */
function withAddress(options: RestOptions, preset: Preset | undefined, { address }: SourceAccount): RestOptions {
  const url = options.url ?? (address === '' ? preset?.url : undefined);
  return url === undefined ? options : { ...options, url };
}

function partsOf(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function valuesOf(
  options: RestOptions,
  preset: Preset | undefined,
  { name, username, password }: SourceAccount,
  parameters: Readonly<Record<string, string>> = {},
): RequestValues {
  const own = { account: name, username, password, api_token: options.api_token ?? '' };
  const written = compilePairs('parameters', options.parameters.replaceAll(/\r?\n/g, '&'))(own);
  const given = { ...written, ...parameters };
  if (preset === undefined) return { ...given, ...own };
  const known = Object.keys(preset.parameters);
  const unknown = Object.keys(given).filter((parameter) => !known.includes(parameter));
  if (unknown.length > 0) {
    throw new AppError(
      'invalid_input',
      `parameters has ${unknown.join(', ')}, which the preset ${options.preset} does not know; it knows ${known.join(', ') || 'none'}`,
    );
  }
  const defaults = Object.entries(preset.parameters).flatMap(([parameter, { default: value }]) =>
    value === undefined ? [] : [[parameter, value]],
  );
  const values = { ...Object.fromEntries(defaults), ...given };
  const missing = known.filter((parameter) => !Object.hasOwn(values, parameter));
  if (missing.length > 0) {
    const what = missing.map((parameter) => `${parameter} (${preset.parameters[parameter]?.description})`).join(', ');
    throw new AppError(
      'invalid_input',
      `the preset ${options.preset} needs ${what}; set parameters of the account: ${missing[0]}=…`,
    );
  }
  return { ...values, ...own };
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
