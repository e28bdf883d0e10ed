import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

describe('arguments', () => {
  it.each([
    ['list_hosts', { strat: 1 }, 'strat'],
    ['list_hosts', { limit: 10_001 }, 'limit'],
    ['list_hosts', { start: -1 }, 'start'],
    ['list_hosts', { start: '1' }, 'start'],
    ['list_hosts', { fields: 'labels' }, 'fields'],
    ['list_hosts', { fields: [] }, 'fields'],
    ['upsert_host', { hostname: 'a', account: 'crm' }, 'labels'],
    ['upsert_host', { hostname: 'a', account: 'crm', labels: [] }, 'labels'],
    ['export_all_rules', { include_hosts: 'yes' }, 'include_hosts'],
    ['export_all_rules', { include_passwords: true }, 'include_passwords'],
    ['get_recent_logs', { limit: 1.5 }, 'limit'],
    ['host_stats', { x: 1 }, 'x'],
  ])('of %s that do not fit (%j) are an error of the tool that names the valid ones', async (name, given, path) => {
    const { isError, value } = await service.call(name, given);
    expect([isError, value.code]).toEqual([true, 'invalid_input']);
    expect(value.details.map((detail: { path: string }) => detail.path.split('.')[0])).toContain(path);
    expect(value.message).toContain(`${name} takes`);
  });

  it('checked by the operation are an error of the tool too', async () => {
    const labels = { nested: { a: 1 } };
    const { isError, value } = await service.call('upsert_host', { hostname: 'a', account: 'crm', labels });
    expect([isError, value.code]).toEqual([true, 'invalid_input']);
    expect(value.message).toContain('nested');
  });

  it('may be left out where none are needed, in every way that clients do it', async () => {
    for (const given of [undefined, null, {}])
      expect((await service.call('list_rule_types', given)).isError).toBe(false);
  });

  it('of a wrong shape never become errors of the protocol', async () => {
    for (const given of [[], 'text', 7]) {
      const { isError, value } = await service.call('list_hosts', given);
      expect([isError, value.code]).toEqual([true, 'invalid_input']);
      expect(value.message).toContain('list_hosts takes');
    }
  });
});

describe('the protocol', () => {
  it('refuses tools and methods that there are not', async () => {
    const client = await service.client();
    await expect(client.callTool({ name: 'drop_everything' })).rejects.toThrow(
      'known ones: apply_plan, comment_on_host, compare_inventory_times, co',
    );
    await expect(client.callTool({ name: 'drop_everything' })).rejects.toMatchObject({ code: -32602 });
    await expect(client.listPrompts()).rejects.toThrow();
  });
});
