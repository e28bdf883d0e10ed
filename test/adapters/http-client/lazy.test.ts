import { expect, it } from 'vitest';
import { lazyHttp } from '../../../src/main/http.ts';
import { content, json, misbehavingServer } from '../../support/misbehaving-server.ts';
import { all, context, errorOf } from './fixed-client.ts';

const http = lazyHttp({ now: () => new Date() });

it('a client that is loaded with its first request does what others do', async () => {
  const server = await misbehavingServer();
  server.at('/', json([1, 2]));
  server.at('/text', content('text'));
  const client = http.client({ url: server.origin });
  expect((await client.json({}, context)).value).toEqual([1, 2]);
  expect((await client.text({ path: 'text' }, context)).value).toBe('text');
  expect(await all(client.records({}, '', context))).toEqual([1, 2]);
  for await (const { records } of client.pages({}, { by: 'link' }, context)) expect(records).toEqual([1, 2]);
  (await client.request({}, context)).discard();
  await client.close();
  expect(await errorOf(client.json({}, context))).toMatchObject({ fault: 'lost' });
  await server.close();
});

it('settings that cannot work are told by its first request', async () => {
  const client = http.client({ url: 'nowhere' });
  await expect(client.json({}, context)).rejects.toMatchObject({ code: 'invalid_input' });
  await client.close();
});

it('a client that is closed before its first request sends nothing', async () => {
  const client = http.client({ url: 'http://127.0.0.1:1' });
  await client.close();
  expect(await errorOf(client.json({}, context))).toMatchObject({ fault: 'lost' });
});
