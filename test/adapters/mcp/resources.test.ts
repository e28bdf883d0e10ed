import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

describe('resources', () => {
  it('are listed with their templates', async () => {
    const client = await service.client();
    const { resources } = await client.listResources();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resources.map(({ uri }) => uri)).toEqual(['service://cron/status']);
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'service://hosts/{hostname}',
      'service://rules/{rule_type}',
    ]);
  });

  it('are what the tools answer', async () => {
    const client = await service.client();
    await service.call('upsert_host', { hostname: 'web1', account: 'crm', labels: { a: 1 } });
    const read = async (uri: string) => {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
      return JSON.parse((contents[0] as { text: string }).text);
    };
    expect(await read('service://hosts/web1')).toEqual((await service.call('get_host', { hostname: 'web1' })).value);
    expect(await read('service://rules/custom_attributes')).toEqual({ rule_type: 'custom_attributes', rules: [] });
    expect(await read('service://cron/status')).toEqual((await service.call('get_cron_status')).value);
  });

  it('name hosts percent-encoded, once', async () => {
    const client = await service.client();
    for (const hostname of ['a b', 'a%20b', 'ä?#']) {
      await service.call('upsert_host', { hostname, account: 'crm', labels: { hostname } });
      const { contents } = await client.readResource({ uri: `service://hosts/${encodeURIComponent(hostname)}` });
      expect(JSON.parse((contents[0] as { text: string }).text).hostname).toBe(hostname);
    }
  });

  it.each([
    ['service://hosts/nope', -32002, 'not_found'],
    ['service://rules/nope', -32002, 'not_found'],
    ['service://nope', -32002, 'not_found'],
    ['service://hosts/', -32002, 'not_found'],
    ['https://example.org/', -32002, 'not_found'],
    ['service://hosts/%zz', -32602, 'invalid_input'],
  ])('that there are not are an error that says so: %s', async (uri, code, word) => {
    const client = await service.client();
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code, data: { uri, code: word } });
  });

  it('need the role mcp', async () => {
    await service.addUser('objects', { roles: ['objects'] });
    const client = await service.client('objects');
    await expect(client.readResource({ uri: 'service://cron/status' })).rejects.toMatchObject({
      data: { code: 'role_missing' },
    });
  });
});
