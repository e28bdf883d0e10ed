import { type ImportOptions, importOptions } from '../../../kit/account-options/import-options.ts';
import type { SourceType } from '../../../ports/index.ts';
import { parseTypeOptions } from './type-options.ts';

export interface AccountOptions<Options> {
  readonly common: ImportOptions;
  readonly source: Options;
  /** The field that holds the hostname, when the source has that option; rewriting can use it like any other field. */
  readonly hostnameField: string | undefined;
}

/** Reads the options of an account with a source: those that every import has, and those of its type. */
export function parseAccountOptions<Options>(
  type: SourceType<Options>,
  fields: Readonly<Record<string, unknown>>,
): AccountOptions<Options> {
  const { common, own } = parseTypeOptions(importOptions(), type, fields);
  return { common, source: own, hostnameField: textMember(own, 'hostname_field') };
}

function textMember(options: unknown, name: string): string | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  const value = (options as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
