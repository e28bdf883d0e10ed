import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../adapters/http/http-service.ts';

/** Passwords of accounts and secrets of rules, guessed by what a folder of rules would change. */

const STORED = 'the stored secret';
let service: HttpService;

beforeEach(async () => {
  service = await startHttpService();
  await service.addUser('reader', { api_roles: ['rules'], readonly: true });
  await service.addUser('writer', { api_roles: ['rules', 'accounts'] });
  for (const one of documents(STORED)) {
    const answer = await service.request({
      method: 'POST',
      url: '/api/v1/rules/apply',
      payload: { documents: [one], applyset: 'x' },
    });
    expect([one.rule_type, answer.statusCode, answer.body]).toEqual([one.rule_type, 200, expect.any(String)]);
  }
});
afterEach(() => service.stop());

const secret = (text: string) => ({ $secret: text });
function documents(text: string) {
  return [
    {
      rule_type: 'accounts',
      document: {
        name: 'lab',
        type: 'api',
        enabled: true,
        username: 'u',
        password: secret(text),
        custom_fields: [{ name: 'api_token', value: secret(text) }],
      },
    },
    {
      rule_type: 'cron_groups',
      document: {
        name: 'nightly',
        enabled: true,
        webhook_enabled: true,
        jobs: [{ name: 'a', command: 'Maintenance' }],
        webhook_policy: { secret: secret(text) },
      },
    },
  ];
}

const diff = (user: string, document: object) =>
  service.request({
    method: 'POST',
    url: '/api/v1/rules/diff',
    user,
    payload: { documents: [document], applyset: 'x' },
  });

describe('a secret that somebody guesses', () => {
  it.each([0, 1])('is not told to who may only read (document %i)', async (index) => {
    const [right, wrong] = await Promise.all(
      [STORED, 'a guess'].map(async (text) => (await diff('reader', documents(text)[index] as object)).json()),
    );
    expect(right).toMatchObject({ unchanged: 1, update: 0 });
    expect(wrong).toEqual(right);
    expect(JSON.stringify(right)).toContain('is shown only to users who may write');
  });

  it('is told to who may write, who could set it, up to some texts an hour; each try is in the audit log', async () => {
    const [account] = documents(STORED);
    expect((await diff('root', account as object)).json()).toMatchObject({ unchanged: 1 });
    const statuses: number[] = [];
    for (let count = 0; count < 25; count++) {
      const document = documents(STORED)[1] as { document: object };
      const guess = {
        ...document,
        document: { ...document.document, webhook_policy: { secret: secret(`guess ${count}`) } },
      };
      statuses.push((await diff('writer', guess)).statusCode);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
    expect(statuses.at(-1)).toBe(429);
    expect((await diff('writer', documents(STORED)[1] as object)).json()).toMatchObject({ unchanged: 1 });
    const entries = await service.storage.audit.latest({ limit: 100, actor: 'writer', operation: 'rules/diff-folder' });
    expect(entries.length).toBeGreaterThan(20);
    expect(JSON.stringify(entries)).not.toContain('guess 1');
  });
});
