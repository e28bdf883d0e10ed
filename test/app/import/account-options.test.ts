import { describe, expect, it } from 'vitest';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { csvOptions } from '../../../src/plugins/csv/options.ts';
import type { SourceType } from '../../../src/ports/index.ts';

const CSV: SourceType = {
  id: 'csv',
  title: 'CSV',
  description: '',
  options: csvOptions,
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
    expect(parsed.source).toEqual({ path: 'hosts.csv', hostname_field: 'name', delimiter: ';', encoding: 'utf-8' });
    expect(parsed.hostnameField).toBe('name');
    expect(parsed.common).toEqual({
      rewrite_hostname: '',
      lowercase_hostname: false,
      check_for_valid_hostname: false,
      require_fqdn: false,
      delete_host_if_not_found_on_import: true,
      delete_threshold_percent: 35,
      allow_empty: false,
      mode: 'own',
      precedence: -1,
      owned_labels: ['site', 'net.*', '!net.mac'],
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
      delimiter: 'ab',
      typo: 'x',
      allow_empty: 'maybe',
      mode: 'steal',
      delete_threshold_percent: '120',
    });
    expect(message).toMatch(/options of a csv account/);
    expect(message).toMatch(/path is required/);
    expect(message).toMatch(/typo is not an option of this type/);
    expect(message).toMatch(/options of this type: path, hostname_field, encoding, delimiter, rewrite_hostname/);
    expect(details).toEqual(
      expect.arrayContaining([
        { path: 'allow_empty', message: 'must be true or false' },
        { path: 'mode', message: 'must be own or contribute' },
        { path: 'delete_threshold_percent', message: 'must be at most 100' },
        { path: 'delimiter', message: expect.stringMatching(/one character/) },
      ]),
    );
    expect(refusal({ path: 'x', delete_threshold_percent: 'many' }).message).toMatch(/must be a number from 0 to 100/);
  });
});
