import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../servers/processes.ts';

export interface RunningProvider {
  /** The issuer. */
  readonly url: string;
  /** Replaces who is known there, by what never changes. */
  setPeople(people: Readonly<Record<string, object>>): Promise<void>;
  /** How often each path was asked for. */
  asked(): Promise<Readonly<Record<string, number>>>;
  stop(): Promise<void>;
}

/** Starts a provider whose client is a Muster at that address. */
export async function startProvider(
  muster: string,
  environment: Record<string, string> = {},
): Promise<RunningProvider> {
  const port = await freePort();
  const program = fileURLToPath(new URL('./provider.mjs', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [program, String(port), muster], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  child.stderr?.on('data', (piece: Buffer) => {
    told += piece.toString();
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the provider ended: ${told}`)));
  ended.catch(() => undefined);
  await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), ended]);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async setPeople(people) {
      await fetch(`${url}/test/people`, { method: 'POST', body: JSON.stringify(people) });
    },
    async asked() {
      return (await (await fetch(`${url}/test/asked`)).json()) as Record<string, number>;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}
