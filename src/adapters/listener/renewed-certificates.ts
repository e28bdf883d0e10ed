import { stat } from 'node:fs/promises';
import type { Server as PlainServer } from 'node:http';
import { Server } from 'node:https';
import { resolve } from 'node:path';
import type { Config } from '../../app/kernel/config/schema.ts';
import type { Logger } from '../../ports/index.ts';
import { readTls, tlsOptions } from './listener.ts';

type TlsConfig = Pick<Config, 'TLS_CERT' | 'TLS_KEY' | 'TLS_CLIENT_CA'>;

export interface RenewalOptions {
  readonly config: TlsConfig;
  /** The directory that relative paths start from. */
  readonly directory: string;
  readonly everyMs?: number;
}

const LOOK_EVERY_MS = 10_000;

/**
 * Makes the server use a renewed certificate and key when their files change; open connections keep theirs. Files that cannot
 * work change nothing and are reported once. A plain HTTP server has none. Returns a function that ends this.
 */
export async function takeRenewedCertificates(
  server: PlainServer | Server,
  { config, directory, everyMs = LOOK_EVERY_MS }: RenewalOptions,
  logger: Logger,
): Promise<() => void> {
  if (!(server instanceof Server)) return () => undefined;
  const encrypted = server;
  const paths = [config.TLS_CERT, config.TLS_KEY, config.TLS_CLIENT_CA].filter((path) => path !== '');
  const look = (): Promise<string> => stateOf(paths.map((path) => resolve(directory, path)));
  let known = await look();
  let seen = known;
  let isLooking = false;

  async function renew(): Promise<void> {
    const state = await look();
    // Certificate and key are written one after the other: they are read when both have been left alone for a while.
    const isSettled = state === seen;
    seen = state;
    if (state === known || !isSettled) return;
    known = state;
    try {
      const files = await readTls(config, directory);
      if (files === undefined) return;
      encrypted.setSecureContext(tlsOptions(files));
      logger.info('the certificate was renewed', { file: config.TLS_CERT });
    } catch (error) {
      logger.error('the renewed certificate cannot be used; the one before is still shown', { error });
    }
  }

  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    await renew();
    isLooking = false;
  }, everyMs).unref();
  return () => clearInterval(timer);
}

/** Returns a mark that changes with the files: those that links lead to, as a link's folder may have been swapped. */
async function stateOf(paths: readonly string[]): Promise<string> {
  const states = paths.map(async (path) => {
    try {
      const { dev, ino, size, mtimeMs, ctimeMs } = await stat(path);
      return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
    } catch {
      return 'not there';
    }
  });
  return (await Promise.all(states)).join('\n');
}
