import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/source-files.ts';
import { ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start({ PLUGINS: [join(ROOT, 'test/fixtures/plugins/acting.mjs')] });
});
afterEach(() => service.stop());

describe('actions of plugins as tools', () => {
  it('stand beside those of the program, with their arguments and what they may do', async () => {
    const { tools } = await (await service.client()).listTools();
    const echo = tools.find(({ name }) => name === 'plugin_acting_echo');
    expect(echo).toMatchObject({
      title: 'echo',
      description: 'Does echo.',
      inputSchema: { properties: { name: { description: 'Name of the host' } }, additionalProperties: false },
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
    expect(tools.find(({ name }) => name === 'plugin_acting_add')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
    expect(tools.map(({ name }) => name)).not.toContain('plugin_acting_hidden');
    expect(tools.map(({ name }) => name)).toContain('list_hosts');
  });

  it('answer, and call what tools may call', async () => {
    expect(await service.call('plugin_acting_echo', { name: 'web02' })).toEqual({
      isError: false,
      value: { said: 'root asks for web02' },
    });
    expect(await service.call('plugin_acting_add', { name: 'web02' })).toMatchObject({ value: { said: 'added' } });
    expect(await service.call('get_host', { hostname: 'web02' })).toMatchObject({
      value: { labels: { by: 'acting' } },
    });
    expect(await service.call('plugin_acting_reach')).toMatchObject({ isError: true, value: { code: 'forbidden' } });
    expect(await service.call('plugin_acting_echo', { nome: 'x' })).toMatchObject({ isError: true });
  });
});
