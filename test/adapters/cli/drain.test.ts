import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommandContext } from '../../../src/adapters/cli/context.ts';
import { drain } from '../../../src/adapters/cli/drain.ts';
import { balancingProxy } from '../../support/balancing-proxy.ts';
import { sharedMongodbUrl } from '../../support/shared-databases.ts';
import { fakeTerminal } from './fake-terminal.ts';

const program = fileURLToPath(new URL('../../../bin/muster', import.meta.url));
const PASSWORD = 'correct horse battery';
const authorization = `Basic ${Buffer.from(`olga:${PASSWORD}`).toString('base64')}`;

interface Node {
  readonly url: string;
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
  /** What it said to who looks at it. */
  said(): string;
}

let directory: string;
let environment: NodeJS.ProcessEnv;
const running = new Set<Node>();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-drain-'));
  await useStore(`sqlite:${join(directory, 'muster.db')}`);
});

afterEach(async () => {
  for (const node of running) {
    node.process.kill('SIGKILL');
    await node.ended;
  }
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function useStore(url: string): Promise<void> {
  environment = { PATH: process.env.PATH, SERVICE_DATABASE_URL: url, SERVICE_LOG_LEVEL: 'error' };
  await muster(['user', 'add', 'olga', '--role', 'all', '--admin', '--password-stdin'], PASSWORD);
  await muster(['account', 'add', 'crm', '--type', 'api']);
}

async function muster(args: readonly string[], input = ''): Promise<void> {
  const done = promisify(execFile)(program, args, { cwd: directory, env: environment });
  done.child.stdin?.end(`${input}\n`);
  await done;
}

async function serve(drainSeconds: number, port = '0'): Promise<Node> {
  const child = spawn(process.execPath, [program, 'serve', '--port', port], {
    cwd: directory,
    env: { ...environment, SERVICE_DRAIN_SECONDS: String(drainSeconds) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const node: Node = { url: line.trim().split(' ').at(-1) ?? '', process: child, ended, said: () => said };
  running.add(node);
  void ended.then(() => running.delete(node));
  return node;
}

async function ask(url: string, agent: Agent | false = false) {
  const asked = request(url, { agent, headers: { authorization } }).end();
  const [answer] = await once(asked, 'response');
  let body = '';
  for await (const chunk of answer) body += chunk;
  return { status: answer.statusCode as number, connection: answer.headers.connection as string, body };
}

describe('a node that is asked to stop', () => {
  it('is not ready for the time of DRAIN_SECONDS, answers meanwhile, and ends with 0', async () => {
    const node = await serve(2);
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(`${node.url}/readyz`, kept)).toMatchObject({ status: 200, connection: 'keep-alive' });
    const asked = performance.now();
    node.process.kill('SIGTERM');
    await vi.waitFor(async () => expect((await ask(`${node.url}/readyz`)).status).toBe(503), { interval: 20 });
    expect(JSON.parse((await ask(`${node.url}/readyz`)).body)).toMatchObject({ status: 'draining' });
    expect(Object.values(kept.freeSockets).flat()).toHaveLength(1);
    expect(await ask(`${node.url}/api/v1/objects/all`, kept)).toMatchObject({ status: 200, connection: 'close' });
    expect(await ask(`${node.url}/api/v1/objects/all`, kept)).toMatchObject({ status: 200, connection: 'close' });
    expect(await node.ended).toBe(0);
    const seconds = (performance.now() - asked) / 1_000;
    expect(seconds).toBeGreaterThan(1.9);
    expect(seconds).toBeLessThan(12);
    expect(node.said()).toContain('Draining for 2 seconds');
  }, 60_000);

  it('waits no longer at another signal', async () => {
    const node = await serve(600);
    node.process.kill('SIGINT');
    await vi.waitFor(() => expect(node.said()).toContain('Draining for 600 seconds'), { timeout: 10_000 });
    expect(await ask(`${node.url}/api/v1/objects/all`)).toMatchObject({ status: 200 });
    node.process.kill('SIGTERM');
    expect(await node.ended).toBe(0);
  }, 60_000);

  it('stops at once where DRAIN_SECONDS is 0', async () => {
    const node = await serve(0);
    node.process.kill('SIGTERM');
    expect(await node.ended).toBe(0);
    expect(node.said()).not.toContain('Draining');
  }, 60_000);
});

describe('draining', () => {
  it('is left out when somebody at a terminal presses Ctrl-C', async () => {
    const person = fakeTerminal({ typed: '' });
    person.interrupt();
    const begin = vi.fn();
    await drain(new CommandContext(person.terminal, '0.0.0', undefined as never), 600, begin);
    expect(begin).not.toHaveBeenCalled();
    const system = fakeTerminal();
    system.interrupt();
    const drained = drain(new CommandContext(system.terminal, '0.0.0', undefined as never), 0.01, begin);
    expect(begin).toHaveBeenCalledOnce();
    await drained;
  });
});

describe('two nodes behind a proxy', () => {
  beforeAll(async () => {
    const url = new URL(await sharedMongodbUrl());
    url.pathname = '/drain';
    await useStore(url.href);
  });

  it('are restarted one after the other, and no request and no change is lost', async () => {
    const nodes = await Promise.all([serve(1), serve(1)]);
    const urls = nodes.map(({ url }) => url);
    const proxy = await balancingProxy(urls);
    const failed: string[] = [];
    const written: string[] = [];
    let answered = 0;
    let isOver = false;

    async function count(answer: Response): Promise<void> {
      const body = await answer.text();
      if (answer.ok) answered++;
      else failed.push(`${answer.status} ${body}`);
    }
    async function readOnAndOn(): Promise<void> {
      while (!isOver) await count(await fetch(`${proxy.url}/api/v1/objects/all`, { headers: { authorization } }));
    }
    async function writeOnAndOn(): Promise<void> {
      while (!isOver) {
        const name = `host${written.length}`;
        const answer = await fetch(`${proxy.url}/api/v1/objects/${name}`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ account: 'crm', labels: {} }),
        });
        await count(answer);
        written.push(name);
        await sleep(20);
      }
    }
    const followed: string[] = [];
    const following = new AbortController();
    async function follow(): Promise<void> {
      let last = '';
      while (!following.signal.aborted) {
        const headers = { authorization, ...(last === '' ? {} : { 'last-event-id': last }) };
        const answer = await fetch(`${proxy.url}/api/v1/changes/stream?since=start`, {
          headers,
          signal: following.signal,
        });
        if (!answer.ok) failed.push(`stream ${answer.status} ${await answer.text()}`);
        let text = '';
        for await (const chunk of answer.body ?? []) {
          text += Buffer.from(chunk).toString();
          const events = text.split('\n\n');
          text = events.pop() ?? '';
          for (const event of events) {
            last = /^id: (.*)$/m.exec(event)?.[1] ?? last;
            const data = /^data: (.*)$/m.exec(event)?.[1];
            if (data !== undefined) followed.push((JSON.parse(data) as { hostname: string }).hostname);
          }
        }
      }
    }

    const load = [readOnAndOn(), readOnAndOn(), readOnAndOn(), writeOnAndOn()];
    const listener = follow().catch((error: unknown) => {
      if (!following.signal.aborted) failed.push(String(error));
    });
    await vi.waitFor(() => expect(answered).toBeGreaterThan(50), { timeout: 20_000 });
    for (const { url, process, ended } of nodes) {
      process.kill('SIGTERM');
      expect(await ended).toBe(0);
      await serve(1, new URL(url).port);
      const before = answered;
      await sleep(500);
      await vi.waitFor(() => expect(answered).toBeGreaterThan(before + 20), { timeout: 20_000 });
    }
    isOver = true;
    await Promise.all(load);
    await vi.waitFor(() => expect(followed).toHaveLength(written.length), { timeout: 20_000 });
    following.abort();
    await listener;
    await proxy.close();
    expect(failed).toEqual([]);
    expect(followed).toEqual(written);
  }, 120_000);
});
