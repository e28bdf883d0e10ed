import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { json, type MisbehavingServer, misbehavingServer } from '../../support/misbehaving-server.ts';
import { closeClients, context, errorOf, fixedClient } from './fixed-client.ts';

let server: MisbehavingServer;
const { lookup } = dns;
/** What a name server says, one answer after the other. */
const answers: { address: string; family: number }[][] = [];

beforeAll(async () => {
  server = await misbehavingServer();
  server.at('/', json('reached'));
  const told = (_name: string, _options: unknown, callback: (error: null, found: unknown) => void) =>
    callback(null, answers.length > 1 ? answers.shift() : answers[0]);
  dns.lookup = Object.assign(told, { __promisify__: lookup.__promisify__ }) as unknown as typeof lookup;
  syncBuiltinESMExports();
});
afterEach(closeClients);
afterAll(async () => {
  dns.lookup = lookup;
  syncBuiltinESMExports();
  await server.close();
});

const named = () => server.origin.replace('127.0.0.1', 'cmdb.example.org');

it('a name is looked at when it is connected to', async () => {
  answers.splice(0, 9, [{ address: '127.0.0.1', family: 4 }]);
  expect((await fixedClient(named()).client.json({}, context)).value).toBe('reached');
});

it.each([
  '169.254.169.254',
  'fe80::1',
  'fd00:ec2::254',
  '::ffff:169.254.169.254',
  '0.0.0.0',
  '224.0.0.1',
  '168.63.129.16',
  '192.0.0.192',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a83f:8110',
  '2002:a9fe:a9fe::1',
  '::ffff:0:169.254.169.254',
  '::169.254.169.254',
])('a name that leads to %s is not connected to, also when it led elsewhere before', async (address) => {
  const { client } = fixedClient(named(), { retry: { attempts: 1 } });
  const refused = { address, family: address.includes(':') ? 6 : 4 };
  answers.splice(0, 9, [refused], [{ address: '127.0.0.1', family: 4 }, refused]);
  for (let i = 0; i < 2; i++) {
    const error = await errorOf(client.json({}, context));
    expect(error).toMatchObject({
      fault: 'origin',
      message: expect.stringContaining('is not an address that requests are sent to'),
    });
  }
});
