import { describe, expect, it } from 'vitest';
import { operationWords, subjectPage } from '../../../src/adapters/admin/pages/logs/audit-words.ts';

describe('an entry of the audit log', () => {
  it('says what was done in words', () => {
    expect(operationWords('cron/set-policy')).toEqual({ what: 'Set policy', area: 'cron' });
    expect(operationWords('plugin.site-tools/site-report')).toEqual({ what: 'Site report', area: 'plugin.site-tools' });
  });

  it.each([
    ['hosts/save-host', 'web01', { kind: 'host', name: 'web01' }],
    ['imports/import-account', 'crm', { kind: 'account', name: 'crm' }],
    ['rules/save-rule', 'custom_attributes Site of the rack', { kind: 'rules', name: 'custom_attributes' }],
    ['hosts/delete-host', 'web01', undefined],
    ['hosts/save-hosts-bulk', '12 hosts', undefined],
    ['session/log-in', 'olga', undefined],
    ['users/set-user', '', undefined],
  ])('leads from %s of "%s" to its page', (operation, subject, page) => {
    expect(subjectPage(operation, subject)).toEqual(page);
  });
});
