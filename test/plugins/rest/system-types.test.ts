import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAccountOptions } from '../../../src/app/accounts/decisions/account-options.ts';
import { restType } from './rest-account.ts';

const EXPORT = join(import.meta.dirname, '../../fixtures/cmdbsyncer-4.4.0/everything/export.jsonl');
type Exported = { readonly typ?: string; readonly custom_fields?: readonly { name: string; value: string }[] };

/** The options of the first exported account of a type. */
function exportedOptions(type: string): Record<string, string> {
  const lines = readFileSync(EXPORT, 'utf8').split('\n');
  const line = lines.find((one) => one.includes(`"typ": "${type}"`) || one.includes(`"typ":"${type}"`));
  const { custom_fields = [] } = JSON.parse(line ?? '{}') as Exported;
  expect(custom_fields.length).toBeGreaterThan(0);
  return Object.fromEntries(custom_fields.map(({ name, value }) => [name, value]));
}

describe('accounts of existing installations', () => {
  it.each(['external_restapi', 'servicenow', 'prtg', 'jira_cloud', 'cisco_dna'])(
    '%s: its options are taken',
    async (type) => {
      const known = await restType(type);
      const options = exportedOptions(type);
      expect(() => parseAccountOptions(known, options)).not.toThrow();
    },
  );

  it('jdisc says that devices without a name are no hosts', async () => {
    const known = await restType('jdisc');
    const options = exportedOptions('jdisc');
    expect(() => parseAccountOptions(known, options)).toThrow('import_unnamed_devices cannot be true');
    expect(() => parseAccountOptions(known, { ...options, import_unnamed_devices: 'False' })).not.toThrow();
  });
});
