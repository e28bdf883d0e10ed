import * as z from 'zod';
import { AppError, type ErrorDetail, type SourceType } from '../../../ports/index.ts';
import { type ImportOptions, importOptions } from './options.ts';

export interface AccountOptions<Options> {
  readonly common: ImportOptions;
  readonly source: Options;
  /** The field that holds the hostname, when the source has that option; rewriting can use it like any other field. */
  readonly hostnameField: string | undefined;
}

/**
 * Reads the options of an account: those that every import has, and those of its source type. Empty texts count as not
 * set, because stored accounts carry a field for every option they could have. Throws `AppError('invalid_input')` that
 * names each wrong field.
 */
export function parseAccountOptions<Options>(
  type: SourceType<Options>,
  fields: Readonly<Record<string, unknown>>,
): AccountOptions<Options> {
  const given = Object.entries(fields).filter(([, value]) => value !== '' && value !== undefined && value !== null);
  const isCommon = (name: string): boolean => Object.hasOwn(importOptions.shape, name);
  const common = importOptions.safeParse(Object.fromEntries(given.filter(([name]) => isCommon(name))));
  const own = Object.fromEntries(given.filter(([name]) => !isCommon(name)));
  const source = type.options.safeParse(own);
  if (common.success && source.success) {
    return { common: common.data, source: source.data, hostnameField: textMember(source.data, 'hostname_field') };
  }
  const issues = [...(common.error?.issues ?? []), ...(source.error?.issues ?? [])];
  const details = issues.flatMap((issue) => describeIssue(issue, fields));
  const lines = details.map((detail) => (detail.path === '' ? detail.message : `${detail.path} ${detail.message}`));
  const unknown = issues.some((issue) => issue.code === 'unrecognized_keys');
  const names = unknown ? `; options of this type: ${optionNames(type).join(', ')}` : '';
  throw new AppError('invalid_input', `options of a ${type.id} account: ${lines.join('; ')}${names}`, { details });
}

/** Names of all options an account of this type can have: its own first. */
function optionNames(type: SourceType): readonly string[] {
  const own = type.options instanceof z.ZodObject ? Object.keys(type.options.shape) : [];
  return [...own, ...Object.keys(importOptions.shape).filter((name) => !own.includes(name))];
}

function describeIssue(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: key, message: 'is no option of this type' }));
  }
  const path = issue.path.join('.');
  const absent = issue.path.length === 1 && !Object.hasOwn(given, path) && issue.code === 'invalid_type';
  return [{ path, message: absent ? 'is required' : issue.message }];
}

function textMember(options: unknown, name: string): string | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  const value = (options as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
