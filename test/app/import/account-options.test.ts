import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { withSettings } from '../../../src/app/accounts/account-settings.ts';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { optionSchema } from '../../../src/app/accounts/option-schemas.ts';
import { objectExportOptions } from '../../../src/kit/account-options/object-export-options.ts';
import { titled } from '../../../src/kit/options/titled.ts';
import { whole } from '../../../src/kit/options/values.ts';
import { csvOptions } from '../../../src/plugins/csv/options.ts';
import type { SourceType } from '../../../src/ports/index.ts';

const CSV: SourceType = {
  id: 'csv',
  title: 'CSV',
  description: '',
  options: csvOptions(),
  open: () => {
    throw new Error('not here');
  },
};

function refusal(fields: Record<string, unknown>): { message: string; details: unknown } {
  try {
    parseAccountOptions(CSV, fields);
  } catch (error) {
    return error as { message: string; details: unknown };
  }
  throw new Error('nothing was refused');
}

describe('account options', () => {
  it('come as text and fill in defaults', () => {
    const parsed = parseAccountOptions(CSV, {
      path: 'hosts.csv',
      hostname_field: 'name',
      delimiter: ';',
      delete_host_if_not_found_on_import: 'True',
      delete_threshold_percent: '35',
      allow_empty: 'no',
      owned_labels: 'site, net.* ,!net.mac',
    });
    expect(parsed.source).toMatchObject({
      path: 'hosts.csv',
      hostname_field: 'name',
      key_fields: [],
      delimiter: ';',
      encoding: 'utf-8',
      empty_cells: 'keep',
    });
    expect(parsed.hostnameField).toBe('name');
    expect(parsed.common).toEqual({
      fills: 'host',
      section: '',
      rewrite_hostname: '',
      runs_at: '',
      processors: [],
      lowercase_hostname: false,
      check_for_valid_hostname: false,
      require_fqdn: false,
      delete_host_if_not_found_on_import: true,
      delete_threshold_percent: 35,
      allow_empty: false,
      mode: 'own',
      precedence: -1,
      owned_labels: ['site', 'net.*', '!net.mac'],
      null_values: [],
      list_labels: [],
      inventorize_key: '',
      inventorize_match_by_domain: false,
      inventorize_match_attribute: '',
      inventorize_collect_by_key: '',
      inventorize_rewrite_collect_by_key: '',
    });
  });

  it('that are empty count as not set, as stored accounts have them', () => {
    const { common } = parseAccountOptions(CSV, {
      path: 'x',
      delimiter: '',
      inventorize_key: '',
      delete_threshold_percent: '',
    });
    expect(common.delete_threshold_percent).toBe(20);
  });

  it('are refused by name, all at once', () => {
    const { message, details } = refusal({
      delimiter: 'abcd',
      typo: 'x',
      allow_empty: 'maybe',
      mode: 'steal',
      delete_threshold_percent: '120',
    });
    expect(message).toMatch(/options of a csv account/);
    expect(message).toMatch(/path is required/);
    expect(message).toMatch(/typo is not an option of this type/);
    expect(message).toMatch(
      /options of this type: path, hostname_field, .*encoding, delimiter, .*record_filter, key_fields, rewrite_hostname/,
    );
    expect(details).toEqual(
      expect.arrayContaining([
        { path: 'allow_empty', message: 'must be true or false (yes/no, on/off and 1/0 also work)' },
        { path: 'mode', message: 'must be own or contribute' },
        expect.objectContaining({ path: 'delete_threshold_percent', message: 'must be at most 100' }),
        expect.objectContaining({ path: 'delimiter' }),
      ]),
    );
    expect(refusal({ path: 'x', delete_threshold_percent: 'many' }).message).toMatch(/must be a number from 0 to 100/);
  });

  it('are known by their other names, which nobody may use for another value of the same', () => {
    const options = z.strictObject({
      path: z
        .string()
        .min(1)
        .meta({ aliases: ['file', 'csv_path'] }),
      limit: whole(1, 5)
        .default(3)
        .describe('A limit')
        .meta({ aliases: ['max'] }),
    });
    const type = { ...CSV, options };
    expect(parseAccountOptions(type, { file: 'x', max: '5' }).source).toEqual({ path: 'x', limit: 5 });
    expect(parseAccountOptions(type, { file: 'x', path: 'x', csv_path: '' }).source).toEqual({ path: 'x', limit: 3 });
    expect(() => parseAccountOptions(type, { file: 'x', path: 'y' })).toThrow(
      /path is set by several names, with different values; keep path only/,
    );
    expect(() => parseAccountOptions(type, { file: 'x', max: 'many' })).toThrow(/limit must be a number from 1 to 5/);
    expect(() => parseAccountOptions(type, { maximum: '1' })).toThrow(
      /path is required.*options of this type: path, limit/,
    );
    expect(optionSchema(options)).toMatchObject({
      properties: {
        path: { aliases: ['file', 'csv_path'] },
        limit: { aliases: ['max'], default: 3, minimum: 1, maximum: 5, description: 'A limit' },
      },
      required: ['path'],
    });
    // What nobody gave a title is called by its name.
    const titles = z.strictObject(titled({ api_token: z.string(), path: z.string() }, { Where: { path: 'File' } }));
    expect(optionSchema(titles)).toMatchObject({
      properties: { api_token: { title: 'API token' }, path: { title: 'File', group: { title: 'Where' } } },
    });
    // Forms show the text, not what it becomes.
    expect(optionSchema(objectExportOptions())).toMatchObject({ properties: { delete_threshold: { default: '20%' } } });
  });

  it('replace what is stored under another of their names', () => {
    const stored = {
      custom_fields: [
        { name: 'file', value: 'x' },
        { name: 'kept', value: '1' },
      ],
    };
    const aliases = new Map([['file', 'path']]);
    expect(withSettings(stored, { path: 'y' }, aliases)).toEqual({
      custom_fields: [
        { name: 'kept', value: '1' },
        { name: 'path', value: 'y' },
      ],
    });
    expect(withSettings(stored, { path: '' }, aliases)).toEqual({ custom_fields: [{ name: 'kept', value: '1' }] });
    expect(withSettings(stored, { file: 'z' }, aliases)).toEqual({
      custom_fields: [
        { name: 'file', value: 'z' },
        { name: 'kept', value: '1' },
      ],
    });
  });
});
