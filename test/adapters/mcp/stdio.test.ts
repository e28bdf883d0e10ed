import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveStdio } from '../../../src/adapters/mcp/stdio.ts';
import { setAccount } from '../../../src/app/accounts/operations/set-account.ts';
import { changeUser } from '../../../src/app/users/operations/change-user.ts';
import { createToken } from '../../../src/app/users/operations/create-token.ts';
import { revokeToken } from '../../../src/app/users/operations/revoke-token.ts';
import { PASSWORD, ToolService } from './tool-service.ts';

let service: ToolService;
beforeEach(async () => {
  service = await ToolService.start();
});
afterEach(() => service.stop());

/** One client at the standard streams of the server. */
class StdioClient {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly stopping = new AbortController();
  readonly ended: Promise<void>;
  text = '';
  #id = 0;

  constructor(given: { user?: string | undefined; password?: string | undefined; token?: string }) {
    const credentials = { user: undefined, password: undefined, token: undefined, ...given };
    this.output.on('data', (chunk: Buffer) => {
      this.text += chunk.toString();
    });
    this.ended = serveStdio(
      { version: '0.0.0', credentials, input: this.input, output: this.output, signal: this.stopping.signal },
      service.app,
    );
    this.ended.catch(() => undefined);
  }

  send(method: string, params: object = {}): number {
    const id = ++this.#id;
    this.input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  async answer(id: number): Promise<any> {
    for (;;) {
      const found = this.answers().find((message) => message.id === id);
      if (found !== undefined) return found;
      await once(this.output, 'data');
    }
  }

  async call(name: string, given: object = {}): Promise<{ isError: boolean; text: string }> {
    const { result } = await this.answer(this.send('tools/call', { name, arguments: given }));
    return { isError: result.isError === true, text: result.content[0].text };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  answers(): any[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }
}

describe('the start', () => {
  it.each([
    ['nobody', { user: undefined, password: PASSWORD }, 'unauthenticated'],
    ['no password', { user: 'root', password: undefined }, 'unauthenticated'],
    ['a wrong password', { user: 'root', password: 'wrong' }, 'unauthenticated'],
    ['an unknown user', { user: 'nope', password: PASSWORD }, 'unauthenticated'],
    ['a wrong token', { token: `muster_${'x'.repeat(43)}` }, 'unauthenticated'],
    ['a user without the role', { user: 'objects', password: PASSWORD }, 'role_missing'],
  ])('with %s fails and writes nothing', async (_what, credentials, code) => {
    await service.addUser('objects', { roles: ['objects'] });
    const client = new StdioClient(credentials);
    await expect(client.ended).rejects.toMatchObject({ code });
    expect(client.text).toBe('');
  });
});

describe('a token', () => {
  const issue = async (input: object = {}) =>
    (await service.operate(createToken, { name: 'root', label: 'assistant', ...input })) as {
      token: string;
      prefix: string;
    };

  it('lets in who needs a second factor, with what the token carries, until it is taken back', async () => {
    await service.stop();
    service = await ToolService.start({ REQUIRE_SECOND_FACTOR: 'everybody' });
    await expect(new StdioClient({ user: 'root', password: PASSWORD }).ended).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const { token, prefix } = await issue({ read_only: true });
    const client = new StdioClient({ user: 'somebody else', password: PASSWORD, token: ` ${token}\n` });
    expect((await client.call('host_stats')).isError).toBe(false);
    const saving = await client.call('upsert_host', { hostname: 'a', account: 'crm', labels: {} });
    expect(saving.text).toContain('read_only');
    await service.operate(revokeToken, { name: 'root', prefix });
    expect((await client.call('host_stats')).text).toContain('unauthenticated');
    client.input.end();
    await client.ended;
    await service.app.services.audit.settled();
    const entries = await service.storage.audit.latest({ limit: 20, operation: 'users/use-token' });
    expect(entries).toEqual([expect.objectContaining({ actor: 'root', subject: prefix, entrance: 'mcp' })]);
  });

  it('without the role, or of a user who may not log in, lets nobody in', async () => {
    await service.addUser('both', { roles: ['mcp', 'objects'] });
    const other = await issue({ name: 'both', roles: ['objects'] });
    await expect(new StdioClient({ token: other.token }).ended).rejects.toMatchObject({ code: 'role_missing' });
    const { token } = await issue();
    await service.operate(changeUser, { name: 'root', disabled: true });
    await expect(new StdioClient({ token }).ended).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('a connection', () => {
  it('is bound to the user as of now', async () => {
    const client = new StdioClient({ user: 'root', password: PASSWORD });
    expect((await client.call('host_stats')).isError).toBe(false);
    await service.operate(setAccount, { name: 'crm', settings: {}, enabled: true });
    expect((await client.call('host_stats')).isError).toBe(false);
    await service.operate(changeUser, { name: 'root', roles: ['objects'] });
    expect((await client.call('host_stats')).text).toContain('role_missing');
    await service.operate(changeUser, { name: 'root', roles: ['mcp'] });
    expect((await client.call('host_stats')).isError).toBe(false);
    await service.operate(changeUser, { name: 'root', disabled: true });
    expect((await client.call('host_stats')).text).toContain('unauthenticated');
    await service.operate(changeUser, { name: 'root', disabled: false, password: 'another horse battery' });
    expect((await client.call('host_stats')).text).toContain('unauthenticated');
    client.input.end();
    await client.ended;
  });

  it('ends when the client closes its end, after everything is answered', async () => {
    const client = new StdioClient({ user: 'root', password: PASSWORD });
    const ids = [
      client.send('tools/call', { name: 'upsert_host', arguments: { hostname: 'a', account: 'crm', labels: {} } }),
      client.send('tools/list'),
      client.send('resources/read', { uri: 'service://cron/status' }),
      client.send('tools/call', { name: 'run_autorules' }),
    ];
    client.input.end();
    await client.ended;
    expect(
      client
        .answers()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids);
  });

  it('ends when the process is asked to stop, and when nobody reads any more', async () => {
    const stopped = new StdioClient({ user: 'root', password: PASSWORD });
    await stopped.answer(stopped.send('ping'));
    stopped.stopping.abort();
    await stopped.ended;
    const unread = new StdioClient({ user: 'root', password: PASSWORD });
    await unread.answer(unread.send('ping'));
    unread.output.destroy();
    await unread.ended;
  });

  it('breaks off at a message that is larger than allowed, and says so', async () => {
    await service.stop();
    service = await ToolService.start({ MAX_BODY_BYTES: 2_000 });
    const client = new StdioClient({ user: 'root', password: PASSWORD });
    await client.answer(client.send('ping'));
    client.send('ping', { filler: 'x'.repeat(3_000) });
    await expect(client.ended).rejects.toMatchObject({ code: 'too_large' });
  });

  it('changes no number and no text silently', async () => {
    const client = new StdioClient({ user: 'root', password: PASSWORD });
    const upsert = (id: number, labels: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"upsert_host","arguments":{"hostname":"n","account":"crm","labels":${labels}}}}\n`;
    client.input.write(upsert(101, '{"serial":12345678901234567890}'));
    expect((await client.answer(101)).result).toMatchObject({ isError: true });
    expect(client.text).toMatch(/12345678901234567890.*send it as text/);
    client.input.write(upsert(102, '{"a":1,"a":2}'));
    expect((await client.answer(102)).error).toMatchObject({
      code: -32_700,
      message: expect.stringContaining('twice'),
    });
    client.input.write(Buffer.from(upsert(103, '{"a":"\u00ff"}'), 'latin1'));
    client.input.write(upsert(104, '{"a":"€ in pieces"}').slice(0, 20));
    client.input.write(upsert(104, '{"a":"€ in pieces"}').slice(20));
    expect((await client.answer(104)).result.structuredContent).toMatchObject({ status: 'saved' });
    expect(client.answers().map(({ id }) => id)).not.toContain(103);
    expect((await client.call('get_host', { hostname: 'n' })).text).toContain('€ in pieces');
    client.input.end();
    await client.ended;
  });

  it('survives lines that are no messages', async () => {
    const client = new StdioClient({ user: 'root', password: PASSWORD });
    client.input.write('nonsense\n{"jsonrpc":"2.0"}\n');
    expect((await client.call('host_stats')).isError).toBe(false);
    client.input.end();
    await client.ended;
  });
});
