import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { basic, ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

it('a tool server that drains answers calls, and ends their connections', async () => {
  const draining = { isDraining: false };
  const { app } = service.network({ draining });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const post = async (message: Readonly<Record<string, unknown>>) => {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: basic('root'),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    return [answer.status, answer.headers.get('connection'), (await answer.text()).includes('"result"')];
  };
  const ping = { id: 1, method: 'ping' };
  const notification = { method: 'notifications/initialized' };
  expect(await post(ping)).toEqual([200, 'keep-alive', true]);
  expect(await post(notification)).toEqual([202, 'keep-alive', false]);
  draining.isDraining = true;
  expect(await post(ping)).toEqual([200, 'close', true]);
  expect(await post(notification)).toEqual([202, 'close', false]);
});
