import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../app/kernel/config/schema.ts';
import { AppError } from '../../ports/index.ts';

/** Certificate and key, PEM. */
export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Authorities for client certificates; absent if clients are not asked for one. */
  readonly clientCa?: Buffer;
}

/** The address to listen on, and the configuration keys that set it, for errors. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly hostKey: keyof Config;
  readonly portKey: keyof Config;
}

const STOP_SECONDS = 10;

/** The suites of TLS 1.2 that have forward secrecy and authenticated encryption, as Mozilla's "intermediate" list has them; those of TLS 1.3 all have. */
const CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/** Returns the options that a server needs for TLS by current standards. */
export function tlsOptions({ cert, key, clientCa }: TlsFiles): ServerOptions {
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS.join(':'),
    // Browsers without a certificate are admitted too; code that trusts a certificate checks whether it was signed.
    ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: false }),
  };
}

const SWEEP_MS = 50;

/**
 * Returns the files of the configuration, relative to the directory; `undefined` if it names none. Throws `invalid_input` for
 * files that cannot work, with the key of the configuration, the file and advice.
 */
export async function readTls(
  { TLS_CERT: cert, TLS_KEY: key, TLS_CLIENT_CA: ca }: Pick<Config, 'TLS_CERT' | 'TLS_KEY' | 'TLS_CLIENT_CA'>,
  directory: string,
): Promise<TlsFiles | undefined> {
  if (ca !== '' && (cert === '' || key === '')) {
    throw new AppError(
      'invalid_input',
      'TLS_CLIENT_CA is for clients that present a certificate, which needs HTTPS; set TLS_CERT and TLS_KEY too',
    );
  }
  if (cert === '' && key === '') return undefined;
  if (cert === '' || key === '') {
    throw new AppError('invalid_input', 'TLS_CERT and TLS_KEY belong together; set both or none');
  }
  const files = {
    cert: await readNamed('TLS_CERT', cert, directory),
    key: await readNamed('TLS_KEY', key, directory),
  };
  tryContext(
    { cert: files.cert },
    `TLS_CERT names ${cert}, which has no certificate in PEM format; name the file with the certificate and its chain`,
  );
  tryContext(
    { key: files.key },
    `TLS_KEY names ${key}, which has no private key in PEM format without a passphrase; name the file with such a key`,
  );
  tryContext(
    files,
    `TLS_KEY names ${key}, whose key does not belong to the certificate in ${cert} (TLS_CERT); name a pair`,
  );
  if (ca === '') return files;
  const clientCa = await readNamed('TLS_CLIENT_CA', ca, directory);
  tryAuthorities(
    clientCa,
    `TLS_CLIENT_CA names ${ca}, which has no certificate in PEM format; name the file with the authorities of clients`,
  );
  return { ...files, clientCa };
}

/** A TLS context accepts a file without any certificate, and would then admit no one. */
function tryAuthorities(ca: Buffer, message: string): void {
  try {
    new X509Certificate(ca);
  } catch (cause) {
    throw new AppError('invalid_input', message, { cause });
  }
}

async function readNamed(name: string, path: string, directory: string): Promise<Buffer> {
  try {
    return await readFile(resolve(directory, path));
  } catch (cause) {
    throw new AppError('invalid_input', `${name} names ${path}, which cannot be read; check path and permissions`, {
      cause,
    });
  }
}

/** The library's own message names neither the wrong file nor a remedy. */
function tryContext(files: Partial<TlsFiles>, message: string): void {
  try {
    createSecureContext(files);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${message} (${reason})`, { cause });
  }
}

/** Listens, and returns the address by which clients on this machine reach it. */
export async function listen(app: FastifyInstance, address: ListenAddress, encrypted: boolean): Promise<string> {
  try {
    await app.listen({ host: address.host, port: address.port });
  } catch (cause) {
    throw listenError(cause, address);
  }
  return addressOf(app.server.address() as AddressInfo, encrypted);
}

/** Takes no new requests, waits for those under way for a bounded time, then closes. */
export async function closeGently(app: FastifyInstance, stopSeconds = STOP_SECONDS): Promise<void> {
  const { server } = app;
  const deadline = setTimeout(() => server.closeAllConnections(), stopSeconds * 1000);
  // A connection that had a request under way becomes idle only after the server began to close.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(deadline);
    clearInterval(sweep);
  }
}

function listenError(cause: unknown, { host, port, hostKey, portKey }: ListenAddress): AppError {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const reasons: Record<string, string> = {
    EADDRINUSE: `another program listens there already; stop it or choose another ${portKey}`,
    EACCES: `this user may not listen there; choose a ${portKey} above 1023`,
    ENOTFOUND: `nothing has that name; check ${hostKey}`,
    EAI_AGAIN: `the name cannot be looked up now; check ${hostKey}`,
    EADDRNOTAVAIL: `this machine does not have that address; check ${hostKey}`,
  };
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new AppError('failed', `cannot listen on ${host} port ${port}: ${reason}`, { cause });
}

function addressOf(address: AddressInfo, encrypted: boolean): string {
  const everywhere = address.address === '0.0.0.0' || address.address === '::';
  const host = everywhere ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${encrypted ? 'https' : 'http'}://${host}:${address.port}`;
}
