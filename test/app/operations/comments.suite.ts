import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addComment } from '../../../src/app/host-comments/operations/add-comment.ts';
import { listComments } from '../../../src/app/host-comments/operations/list-comments.ts';
import { removeComment } from '../../../src/app/host-comments/operations/remove-comment.ts';
import { archiveHost } from '../../../src/app/hosts/operations/archive-hosts.ts';
import { saveHost } from '../../../src/app/hosts/operations/save-host.ts';
import { listAudit } from '../../../src/app/journal/operations/list-audit.ts';
import type { Caller } from '../../../src/app/kernel/caller.ts';
import { importRules } from '../../../src/app/rules/operations/import-rules.ts';
import type { OpenedStorage, StorageHarness } from '../../../src/testing/harness.ts';
import { OPERATOR, OperationsApp } from './operations-app.ts';

const code = (expected: string) => expect.objectContaining({ code: expected });

/** Comments of people on hosts. Run over every storage adapter. */
export function describeComments(name: string, create: StorageHarness['create']): void {
  describe(`${name}: comments on hosts`, () => {
    let opened: OpenedStorage;
    let muster: OperationsApp;
    beforeEach(async () => {
      opened = await create();
      muster = await OperationsApp.over(opened.storage);
      await muster.addAccounts('red', 'blue');
      await muster.run(saveHost, { hostname: 'web01', account: 'red', labels: {} });
    });
    afterEach(async () => {
      await muster.stop();
      await opened.close();
    });

    const person = (user: string, more: Partial<Caller> = {}): Caller => ({
      ...OPERATOR,
      ...{ name: user, roles: ['objects'], globalAdmin: false, ...more },
    });
    const textsOf = async () =>
      (await muster.run(listComments, { hostname: 'web01' })).comments.map(({ author, text }) => [author, text]);

    it('are listed newest first, kept while the host is archived, and audited', async () => {
      await muster.run(addComment, { hostname: 'web01', text: '  first\nline  ' }, person('ada'));
      await muster.run(addComment, { hostname: 'web01', text: 'second' }, person('bob'));
      expect(await textsOf()).toEqual([
        ['bob', 'second'],
        ['ada', 'first\nline'],
      ]);
      await muster.run(archiveHost, { hostname: 'web01' });
      expect((await muster.run(listComments, { hostname: 'web01', limit: 1 })).total).toBe(2);
      const { entries } = await muster.run(listAudit, { operation: 'comments/add-comment' });
      expect(entries.map(({ actor, subject }) => [actor, subject])).toEqual([
        ['bob', 'web01'],
        ['ada', 'web01'],
      ]);
    });

    it('are removed by their authors and by administrators', async () => {
      const { id } = await muster.run(addComment, { hostname: 'web01', text: 'wrong' }, person('ada'));
      const gone = { hostname: 'web01', id };
      await expect(muster.run(removeComment, gone, person('bob'))).rejects.toEqual(code('forbidden'));
      await muster.run(removeComment, gone, person('ada'));
      await expect(muster.run(removeComment, gone, person('ada'))).rejects.toEqual(code('not_found'));
      const other = await muster.run(addComment, { hostname: 'web01', text: 'x' }, person('bob'));
      await muster.run(removeComment, { hostname: 'web01', id: other.id });
      expect(await textsOf()).toEqual([]);
    });

    it('of a host that came from elsewhere are shown from then on to users who do not reach its earlier account', async () => {
      const blue = person('bea', { scope: [(await muster.app.services.accounts.byName('blue'))?.id ?? ''] });
      const early = await muster.run(addComment, { hostname: 'web01', text: 'of red' }, person('ada'));
      await sleep(5);
      await muster.run(importRules, {
        rules: { host_objects: [{ hostname: 'web01', account: 'blue', labels: {} }] },
        override: true,
      });
      await sleep(5);
      const late = await muster.run(addComment, { hostname: 'web01', text: 'of blue' }, blue);
      const { comments, total } = await muster.run(listComments, { hostname: 'web01' }, blue);
      expect([comments.map(({ text }) => text), total]).toEqual([['of blue'], 1]);
      const older = await muster.run(listComments, { hostname: 'web01', before: late.id }, blue);
      expect(older.comments).toEqual([]);
      const hidden = { hostname: 'web01', id: early.id };
      await expect(muster.run(removeComment, hidden, blue)).rejects.toEqual(code('not_found'));
      expect((await textsOf()).length).toBe(2);
    });

    it('are for people who may write hosts in their scope, and 4 kB at most', async () => {
      const blue = [(await muster.app.services.accounts.byName('blue'))?.id ?? ''];
      const comment = { hostname: 'web01', text: 'hello' };
      await expect(muster.run(addComment, comment, person('eve', { scope: blue }))).rejects.toEqual(code('not_found'));
      await expect(muster.run(listComments, comment, person('eve', { scope: blue }))).rejects.toEqual(
        code('not_found'),
      );
      await expect(muster.run(addComment, comment, person('eve', { readOnly: true }))).rejects.toEqual(
        code('read_only'),
      );
      await expect(muster.run(addComment, comment, person('eve', { roles: ['rules'] }))).rejects.toEqual(
        code('role_missing'),
      );
      for (const text of [' ', 'ä'.repeat(2049)])
        await expect(muster.run(addComment, { hostname: 'web01', text })).rejects.toEqual(code('invalid_input'));
      await muster.run(addComment, { hostname: 'web01', text: 'ä'.repeat(2048) });
      await expect(muster.run(addComment, { hostname: 'nope', text: 'x' })).rejects.toEqual(code('not_found'));
    });
  });
}
