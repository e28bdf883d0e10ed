import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authority } from '../support/certificates.ts';

const ROOT = join(import.meta.dirname, '../..');
const MUSTER = join(ROOT, 'bin/muster');

let directory: string;
let service: ChildProcess | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'muster-healthcheck-'));
});

afterEach(async () => {
  await stop();
  await rm(directory, { recursive: true, force: true });
});

const surroundings = () => ({ cwd: directory, env: { PATH: process.env.PATH, SERVICE_DATABASE_URL: 'memory:' } });

async function serve(config: Readonly<Record<string, unknown>>): Promise<void> {
  await writeFile(join(directory, 'local_config.yaml'), JSON.stringify(config));
  service = spawn(process.execPath, [MUSTER, 'serve'], { ...surroundings(), stdio: ['ignore', 'pipe', 'ignore'] });
  await once(service.stdout as NonNullable<ChildProcess['stdout']>, 'data');
}

async function stop(): Promise<void> {
  const stopped = service;
  service = undefined;
  if (stopped === undefined) return;
  stopped.kill('SIGTERM');
  await once(stopped, 'exit');
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** What the image runs now and then. */
async function healthcheck(): Promise<{ code: number; stderr: string }> {
  const dockerfile = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  const [, words = ''] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile) ?? [];
  const [program, ...args] = JSON.parse(words) as string[];
  expect(program).toBe('muster');
  return new Promise((resolve) => {
    const child = execFile(MUSTER, args, surroundings(), (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stderr }),
    );
  });
}

describe('the health check of the image', () => {
  it('asks where the file of the configuration has the service listen', async () => {
    await serve({ HTTP_PORT: await freePort(), HTTP_HOST: '0.0.0.0', BASE_URL: 'https://muster.example.org/muster' });
    expect(await healthcheck()).toEqual({ code: 0, stderr: '' });
    await stop();
    const { code, stderr } = await healthcheck();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^muster: the service does not answer at http:\/\/127\.0\.0\.1:\d+\/healthz: .*ECONNREFUSED/,
    );
  }, 30_000);

  it('asks over TLS, whatever name the certificate has', async () => {
    const issuer = await authority();
    const { cert, key } = await issuer.issue('DNS:muster.example.org');
    await writeFile(join(directory, 'cert.pem'), cert);
    await writeFile(join(directory, 'key.pem'), key);
    await issuer.close();
    await serve({ HTTP_PORT: await freePort(), TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' });
    expect(await healthcheck()).toEqual({ code: 0, stderr: '' });
  }, 30_000);

  it('says what is wrong with a configuration that cannot be read', async () => {
    await writeFile(join(directory, 'local_config.yaml'), 'HTTP_PORT: many\n');
    const { code, stderr } = await healthcheck();
    expect(code).toBe(1);
    expect(stderr).toContain('HTTP_PORT');
  });
});
