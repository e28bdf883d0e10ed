import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpService, startHttpService } from '../adapters/http/http-service.ts';
import { ToolService } from '../adapters/mcp/tool-service.ts';

const OPTIONS = [{ name: 'require_fqdn', value: 'true' }];

/** What an account asks of hostnames holds whoever writes them: as members of its document, as options, and inherited. */
const ACCOUNTS: Readonly<Record<string, object>> = {
  members: { type: 'api', check_for_valid_hostname: true, require_fqdn: true },
  options: { type: 'api', custom_fields: [...OPTIONS, { name: 'check_for_valid_hostname', value: '1' }] },
  child: { type: 'api', is_child: true, parent: 'options' },
};
const REFUSED = ['web01', 'web_01.example.org', '-a.example.org', '10.0.0.1'];

describe('hostnames that an account does not take', () => {
  let service: HttpService;
  let tools: ToolService;
  beforeAll(async () => {
    service = await startHttpService();
    tools = await ToolService.start();
    for (const [name, members] of Object.entries(ACCOUNTS)) await service.addAccount(name, members as never);
    await tools.addAccount('strict', { settings: { require_fqdn: 'true' } });
  });
  afterAll(async () => {
    await service.stop();
    await tools.stop();
  });

  const post = (path: string, payload: object) =>
    service.request({ method: 'POST', url: `/api/v1/objects/${path}`, payload });

  it.each(Object.keys(ACCOUNTS))('are refused over REST, single and in bulk: %s', async (account) => {
    for (const hostname of REFUSED) {
      const answer = await post(hostname, { account, labels: {} });
      expect(answer.statusCode, hostname).toBe(400);
      expect(answer.json()).toMatchObject({
        code: 'invalid_input',
        details: [{ path: 'hostname', message: expect.stringContaining(`account ${account}`) }],
      });
    }
    const names = [...REFUSED, `web01.${account}.example.org`];
    const objects = names.map((hostname) => ({ hostname, labels: {} }));
    const bulk = await post('bulk', { account, objects });
    expect(bulk.json()).toEqual({ status: 'saved 1', 'not-saved': REFUSED });
    for (const hostname of REFUSED) {
      expect((await service.request({ url: `/api/v1/objects/${hostname}` })).statusCode).toBe(404);
    }
  });

  it('are refused by tools', async () => {
    const upsert = (hostname: string) => tools.call('upsert_host', { hostname, account: 'strict', labels: {} });
    expect(await upsert('web01')).toMatchObject({ isError: true, value: { code: 'invalid_input' } });
    expect(await upsert('web01.example.org')).toMatchObject({ isError: false });
  });

  it('control: other names are taken, and other accounts take them all', async () => {
    expect((await post('db01.example.org', { account: 'members', labels: {} })).statusCode).toBe(200);
    await service.addAccount('free', {
      type: 'api',
      require_fqdn: false,
      custom_fields: [{ name: 'require_fqdn', value: '' }],
    });
    for (const hostname of ['free01', 'free_02']) {
      expect((await post(hostname, { account: 'free', labels: {} })).statusCode).toBe(200);
    }
  });
});
