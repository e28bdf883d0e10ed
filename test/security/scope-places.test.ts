import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveHost } from '../../src/app/hosts/operations/save-host.ts';
import { localOperator } from '../../src/app/kernel/caller.ts';
import type { KeptChange } from '../../src/ports/index.ts';
import { type HttpService, startHttpService } from '../adapters/http/http-service.ts';

const OPERATOR = localOperator({ name: 'operator', path: 'test', requestId: 'test' });
const NEWEST = Date.parse('2026-03-01T12:00:00Z');
/** More than are looked at for one page. */
const FOREIGN = 6_000;

let service: HttpService;
beforeEach(async () => {
  service = await startHttpService({ config: { INSTANCE_KEY: '22'.repeat(32) } });
  const value = { hostname: 'web01', account: 'crm', labels: {} };
  await service.executor.value(saveHost, { kind: 'value', value }, OPERATOR);
  await service.addUser('crm-reader', { api_roles: ['objects'], restrict_to_accounts: ['crm'] });
  await service.addUser('reader', { api_roles: ['objects'] });
  vi.spyOn(service.storage.history, 'latest').mockImplementation(async ({ limit, before }) => {
    const behind = before === undefined ? -1 : CHANGES.findIndex(({ hostname }) => hostname === before.hostname);
    return CHANGES.slice(behind + 1, behind + 1 + limit);
  });
});
afterEach(() => service.stop());

/** Of hosts that belong to others, and at last of one that does not. */
const CHANGES: readonly KeptChange[] = [
  ...Array.from({ length: FOREIGN }, (_, index) => `payroll${String(index).padStart(4, '0')}`),
  'web01',
].map((hostname, index) => ({
  hostname,
  at: new Date(NEWEST - index),
  kind: 'labels',
  actor: { kind: 'account', name: 'any' },
  changes: [],
  characters: 2,
}));

async function page(user: string, before?: string) {
  const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`;
  const answer = await service.request({ url: `/api/v1/changes${query}`, user });
  return { status: answer.statusCode, text: answer.body, ...answer.json() };
}

describe('the place where older changes begin', () => {
  it('names no host that the caller does not reach, and leads on all the same', async () => {
    const first = await page('crm-reader');
    expect([first.changes, first.status]).toEqual([[], 200]);
    expect(first.text).not.toContain('payroll');
    const second = await page('crm-reader', first.next);
    expect(second.changes).toMatchObject([{ hostname: 'web01' }]);
    expect(second.next).toBeNull();
  });

  it('is none that was made up', async () => {
    const { next } = await page('crm-reader');
    for (const text of ['sealed:anything', `${next.slice(0, -8)}AAAAAAA=`]) {
      expect((await page('crm-reader', text)).status).toBe(400);
    }
  });

  it('is a time and a host for who reaches all of them', async () => {
    const { changes, next } = await page('reader');
    expect(changes).toHaveLength(50);
    expect(next).toBe(`${NEWEST - 49}:payroll0049`);
  });
});
