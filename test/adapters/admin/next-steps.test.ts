import { describe, expect, it } from 'vitest';
import { noAccount } from '../../../src/adapters/admin/pages/hosts/no-account.ts';
import { runRefusal } from '../../../src/adapters/admin/pages/playbooks/run-refusal.ts';
import { ownPageOf } from '../../../src/adapters/admin/pages/rules/own-pages.ts';
import type { SessionAnswer } from '../../../src/adapters/admin/routes.ts';

const FREE: Pick<SessionAnswer, 'accounts' | 'refused'> = { accounts: null, refused: {} };
const refusing = (name: keyof SessionAnswer['refused'], why: 'role_missing' | 'read_only' | 'forbidden') => ({
  ...FREE,
  refused: { [name]: { why, whom: 'administrators' } },
});

describe('where something cannot be done, pages say what to do', () => {
  it('without an account that hosts can be written to', () => {
    expect(noAccount(FREE)).toEqual({ text: expect.stringContaining('Add one'), mayAdd: true });
    const author = refusing('accounts/add-account', 'role_missing');
    expect(noAccount(author)).toEqual({
      text: expect.stringMatching(/^There is no account .*Ask an administrator/),
      mayAdd: false,
    });
    expect(noAccount({ ...author, accounts: ['dc'] }).text).toMatch(/^You are restricted to accounts/);
  });

  it('with playbooks, to administrators who may only read something other than to others', () => {
    expect(runRefusal(FREE)).toBeUndefined();
    expect(runRefusal(refusing('playbooks/run-playbook', 'read_only'))).toBe(
      'You may only read, so you cannot run them.',
    );
    expect(runRefusal(refusing('playbooks/run-playbook', 'role_missing'))).toMatch(/^Only administrators/);
  });

  it('with documents that have pages of their own, to who may see these', () => {
    expect(ownPageOf({ id: 'accounts' }, FREE)?.to).toBe('/accounts');
    expect(ownPageOf({ id: 'custom_attributes' }, FREE)).toBeUndefined();
    expect(ownPageOf({ id: 'accounts' }, refusing('accounts/show-accounts', 'role_missing'))).toBeUndefined();
  });
});
