import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli } from '../../../src/adapters/cli/run.ts';
import { type HttpService, PASSWORD, startHttpService } from '../http/http-service.ts';
import { type FakeTerminalOptions, fakeTerminal } from './fake-terminal.ts';
import { type MusterHarness, musterHarness } from './run-muster.ts';

let muster: MusterHarness;
beforeAll(async () => {
  muster = await musterHarness();
  await muster.run(['account', 'add', 'lab', '--type', 'api']);
});
afterAll(() => muster.close());

const set = (hostname: string, label: string) =>
  muster.run(['host', 'set', hostname, '--account', 'lab', '--label', label]);

interface Line {
  readonly kind: string;
  readonly hostname: string;
  readonly cursor: string;
}

function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

describe('muster host changes', () => {
  it('shows what happened, newest first, as before', async () => {
    await set('web01', 'role=web');
    await set('web01', 'role=proxy');
    const { stdout } = await muster.run(['host', 'changes']);
    expect(stdout).toMatch(/web01 {2}labels {2}by user:olga\n.*role/);
    const [change] = await muster.json<Line[]>(['host', 'changes', '--limit', '1', '--json']);
    expect(change).toMatchObject({ hostname: 'web01', kind: 'labels' });
    expect(change).not.toHaveProperty('cursor');
  });

  it('goes on behind a cursor, as lines of JSON in a pipe, and says where to go on', async () => {
    const all = await muster.run(['host', 'changes', '--since', 'start']);
    const [first, ...others] = linesOf(all.stdout);
    expect(first).toMatchObject({ kind: 'created', hostname: 'web01', host: { account: 'lab' } });
    const rest = await muster.run(['host', 'changes', '--since', first?.cursor ?? '']);
    expect(linesOf(rest.stdout)).toEqual(others);
    const [, place = ''] = /Go on with --since (\S+)/.exec(all.stderr) ?? [];
    const nothing = await muster.run(['host', 'changes', '--since', place, '--json']);
    expect([nothing.stdout, nothing.stderr]).toEqual(['', `Go on with --since ${place}\n`]);
    const people = await muster.run(['host', 'changes', '--since', 'start'], { columns: 100 });
    expect(people.stdout).toMatch(/web01.*created/);
  });

  it('refuses what does not go together', async () => {
    const refused = await muster.run(['host', 'changes', '--follow', '--kind', 'archived']);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--kind') });
    const unknown = await muster.run(['host', 'changes', '--since', 'A'.repeat(22)]);
    expect(unknown).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('no longer kept') });
  });

  it('follows until it is stopped', async () => {
    const stopping = new AbortController();
    const { text, terminal } = heard({ signal: stopping.signal });
    const following = muster.run(['host', 'changes', '--follow'], terminal);
    await eventually(async () => {
      await set('db01', `turn=${Math.random()}`);
      expect(linesOf(text())).toContainEqual(expect.objectContaining({ hostname: 'db01' }));
    });
    stopping.abort(new DOMException('SIGINT', 'AbortError'));
    expect((await following).exitCode).toBe(130);
  });
});

describe('muster host changes at a service', () => {
  let service: HttpService;
  beforeAll(async () => {
    service = await startHttpService({ remote: true });
    await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => service.stop());

  it('follows', async () => {
    const { port } = service.app.server.address() as AddressInfo;
    const variables = { HOME: '/nowhere', MUSTER_USER: 'root', MUSTER_PASSWORD: PASSWORD };
    const stopping = new AbortController();
    const { text, terminal } = heard({ signal: stopping.signal, variables });
    const fake = fakeTerminal(terminal);
    const following = runCli(
      ['--url', `http://127.0.0.1:${port}`, 'host', 'changes', '--follow', '--since', 'start'],
      fake.terminal,
      {
        version: '0.0.0',
        open: () => Promise.reject(new Error('the store of this machine was opened')),
      },
    );
    const payload = { account: 'crm', labels: {} };
    await service.request({ method: 'POST', url: '/api/v1/objects/web01.example.org', payload });
    await eventually(() => expect(linesOf(text()).map(({ kind }) => kind)).toEqual(['created']));
    stopping.abort(new DOMException('SIGINT', 'AbortError'));
    expect(await following).toBe(130);
  });
});

/** A terminal whose output is read while the command runs. */
function heard(options: FakeTerminalOptions) {
  const outer = fakeTerminal();
  return { text: outer.stdout, terminal: { ...options, stdout: outer.terminal.stdout as never } };
}

const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 100 });
