import { compilePairs, type RequestValues } from '../../kit/http-account/request-template.ts';
import { worded } from '../../kit/worded.ts';
import { AppError, type SourceAccount } from '../../ports/index.ts';
import type { AnyPreset } from './preset-files.ts';

/** Options that every account with presets has. */
interface PresetOptions {
  readonly url?: string | undefined;
  readonly preset?: string | undefined;
  readonly parameters: string;
  readonly api_token?: string | undefined;
}

/**
 * Merges the options of an account with those of its preset. An unknown option is reported as a fault of the preset, not of the
 * account.
 */
export function completed<Given extends { readonly preset?: unknown }, Options>(
  preset: AnyPreset | undefined,
  given: Given,
  complete: (preset: Readonly<Record<string, unknown>>, given: Given) => Options,
  notOptions: readonly string[],
): Options {
  const called = String(given.preset);
  for (const name of ['url', 'preset', 'parameters', ...notOptions]) {
    if (preset !== undefined && name in preset.options)
      throw new AppError(
        'invalid_input',
        worded`the preset ${{ preset: called }} must not have the option ${{ option: name }}`,
      );
  }
  try {
    return complete(preset?.options ?? {}, given);
  } catch (error) {
    const issues =
      error instanceof Error && 'issues' in error ? (error.issues as { path: unknown[]; message: string }[]) : [];
    const details = issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; ');
    throw new AppError(
      'invalid_input',
      worded`the options of the preset ${{ preset: called }} are not valid: ${{ details: details || String(error) }}`,
    );
  }
}

/** A service that has only one address needs no other. */
export function withAddress<Options extends PresetOptions>(
  options: Options,
  preset: AnyPreset | undefined,
  { address }: SourceAccount,
): Options {
  const url = options.url ?? (address === '' ? preset?.url : undefined);
  return url === undefined ? options : { ...options, url };
}

/** Returns the values available to texts of requests: parameters, and fields of the account. */
export function valuesOf(
  options: PresetOptions,
  preset: AnyPreset | undefined,
  { name, username, password }: SourceAccount,
  parameters: Readonly<Record<string, string>> = {},
): RequestValues {
  const own = { account: name, username, password, api_token: options.api_token ?? '' };
  const written = compilePairs('parameters', options.parameters.replaceAll(/\r?\n/g, '&'))(own);
  const given = { ...written, ...parameters };
  if (preset === undefined) return { ...given, ...own };
  const called = String(options.preset);
  const known = Object.keys(preset.parameters);
  const unknown = Object.keys(given).filter((parameter) => !known.includes(parameter));
  if (unknown.length > 0) {
    throw new AppError(
      'invalid_input',
      worded`parameters has ${{ unknown: unknown.join(', ') }}, which the preset ${{ preset: called }} does not know; it knows ${{ known: known.join(', ') || worded`none` }}`,
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
      worded`the preset ${{ preset: called }} needs ${{ what }}; set parameters of the account: ${{ parameter: missing[0] ?? '' }}=…`,
    );
  }
  return { ...values, ...own };
}
