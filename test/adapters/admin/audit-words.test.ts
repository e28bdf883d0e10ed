import { afterEach, describe, expect, it } from 'vitest';
import {
  detailsText,
  operationWords,
  outcomeTone,
  outcomeWords,
  subjectPage,
  subjectText,
} from '../../../src/adapters/admin/pages/logs/audit-words.ts';
import { speakEnglish, speakGerman } from './speak-german.ts';

const ID = '5a3b1e000000000000000002';
const OTHER = '5a3b1e000000000000000003';
const OF_TYPE = { kind: 'rules', name: 'custom_attributes' };

function rule(name: string) {
  return { kind: 'rule', type: 'custom_attributes', rule: name };
}

describe('an entry of the audit log', () => {
  it('says what was done in words', () => {
    expect(operationWords('cron/set-policy')).toEqual({ what: 'Signature policy of a cron group', area: 'cron' });
    expect(operationWords('logs/list-logs')).toEqual({ what: 'List logs', area: 'logs' });
    expect(operationWords('plugin.site-tools/site-report')).toEqual({ what: 'Site report', area: 'plugin.site-tools' });
  });

  it.each([
    ['hosts/save-host', 'web01', { kind: 'host', name: 'web01' }],
    ['imports/import-account', 'crm', { kind: 'account', name: 'crm' }],
    ['rules/save-rule', 'custom_attributes Site of the rack', rule('Site of the rack')],
    ['rules/save-rule', 'custom_attributes ', { kind: 'rules', name: 'custom_attributes' }],
    ['rules/switch-rules', `custom_attributes Site, of the rack (${ID})`, rule(ID)],
    ['rules/switch-rules', `custom_attributes ${ID}`, rule(ID)],
    ['rules/switch-rules', `custom_attributes disabled: Site (${ID})`, rule(ID)],
    ['rules/remove-rule', `custom_attributes Site (${ID})`, rule(ID)],
    ['rules/switch-rules', `custom_attributes Site (${ID}), Rack (${OTHER})`, OF_TYPE],
    ['rules/move-rules', 'custom_attributes no such rule', OF_TYPE],
    ['rules/import-rules-of-type', 'custom_attributes', OF_TYPE],
    ['rules/switch-project', `back up disabled: custom_attributes Site (${ID})`, { kind: 'project', name: 'back up' }],
    ['rules/switch-project', 'back up enabled', { kind: 'project', name: 'back up' }],
    ['rules/undo-autorules', '2026-11-27T10:00:00Z', undefined],
    ['playbooks/cancel-run', '65a1b2c3d4e5f60718293a4b', { kind: 'playbook_run', name: '65a1b2c3d4e5f60718293a4b' }],
    ['runs/cancel-active', 'crm', { kind: 'account', name: 'crm' }],
    ['runs/cancel-active', '65a1b2c3d4e5f60718293a4b', undefined],
    ['plans/apply-plan', '65a1b2c3d4e5f60718293a4b', { kind: 'plan', name: '65a1b2c3d4e5f60718293a4b' }],
    ['hosts/delete-host', 'web01', undefined],
    ['hosts/save-hosts-bulk', '12 hosts', undefined],
    ['session/log-in', 'olga', undefined],
    ['users/break-glass', 'olga: the provider: down', { kind: 'user', name: 'olga' }],
    ['users/set-user', '', undefined],
  ])('leads from %s of "%s" to its page', (operation, subject, page) => {
    expect(subjectPage(operation, subject)).toEqual(page);
  });

  it('says how it ended in words', () => {
    const outcomes = ['done', 'cancelled', 'role_missing', 'of_a_plugin'];
    expect(outcomes.map((outcome) => [outcomeWords(outcome), outcomeTone(outcome)])).toEqual([
      ['done', 'good'],
      ['cancelled', 'quiet'],
      ['role missing', 'bad'],
      ['of a plugin', 'bad'],
    ]);
    expect(operationWords('session/log-in').what).toBe('Log in');
  });

  describe('in another language', () => {
    afterEach(speakEnglish);

    it('says how somebody came in, and leaves what else it says as it is', () => {
      const ways = ['by a break-glass link', 'by a passkey', 'with a code', 'with a recovery code', 'by corp'];
      expect(ways.map((way) => detailsText('session/log-in', way))).toEqual(ways);
      speakGerman();
      expect(ways.map((way) => detailsText('session/log-in', way))).toEqual([
        'mit einem Notfall-Link',
        'mit einem Passkey',
        'mit einem Code',
        'mit einem Wiederherstellungscode',
        'über corp',
      ]);
      expect(detailsText('hosts/get-host', '12 more since 2026-01-31T08:00:00Z')).toBe(
        '12 weitere seit 2026-01-31T08:00:00Z',
      );
      expect(detailsText('users/changed', 'roles: objects → all')).toBe('roles: objects → all');
      expect(detailsText('users/changed', 'another password; token muster_ab12 made')).toBe(
        'anderes Passwort; Token muster_ab12 erstellt',
      );
    });
  });

  it('is read without the ids of the rules', () => {
    expect(subjectText('rules/switch-rules', `custom_attributes Site (${ID}), Rack (${OTHER})`)).toBe(
      'custom_attributes Site, Rack',
    );
    expect(subjectText('rules/revert-rule', `custom_attributes ${ID}`)).toBe(`custom_attributes ${ID}`);
    expect(subjectText('hosts/save-host', `web (${ID})`)).toBe(`web (${ID})`);
  });
});
