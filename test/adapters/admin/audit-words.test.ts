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
    ['playbooks/cancel-run', '65a1b2c3d4e5f60718293a4b', { kind: 'playbook_run', name: '65a1b2c3d4e5f60718293a4b' }],
    ['runs/cancel-active', 'crm', { kind: 'account', name: 'crm' }],
    ['runs/cancel-active', '65a1b2c3d4e5f60718293a4b', undefined],
    ['plans/apply-plan', '65a1b2c3d4e5f60718293a4b', { kind: 'plan', name: '65a1b2c3d4e5f60718293a4b' }],
    ['hosts/delete-host', 'web01', undefined],
    ['hosts/save-hosts-bulk', '12 hosts', undefined],
    ['session/log-in', 'olga', undefined],
    ['users/set-user', '', undefined],
  ])('leads from %s of "%s" to its page', (operation, subject, page) => {
    expect(subjectPage(operation, subject)).toEqual(page);
  });
});
