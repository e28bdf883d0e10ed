import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  /** Its own certificate. */
  readonly ca: string;
  /** A certificate for a name or address: `DNS:example.org`, `IP:127.0.0.1`. A client shows it as well as a server. */
  issue(name: string, options?: { readonly days?: number }): Promise<Certificate>;
  close(): Promise<void>;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** An authority for one test, by the program openssl. */
export async function authority(): Promise<Authority> {
  const directory = await mkdtemp(join(tmpdir(), 'muster-authority-'));
  const openssl = (...args: readonly string[]) => promisify(execFile)('openssl', args, { cwd: directory });
  const read = (name: string) => readFile(join(directory, name), 'utf8');
  await openssl('req', '-x509', '-subj', '/CN=authority of a test', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem');
  let issued = 0;
  return {
    ca: await read('ca.pem'),
    async issue(name, { days = 1 } = {}) {
      const file = `c${++issued}`;
      await openssl('req', '-subj', '/CN=of a test', ...KEY, '-keyout', `${file}.key`, '-out', `${file}.csr`);
      await writeFile(join(directory, `${file}.ext`), `subjectAltName=${name}\n`);
      await openssl(
        ...['x509', '-req', '-in', `${file}.csr`, '-out', `${file}.pem`, '-days', String(days)],
        ...['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${file}.ext`],
      );
      return { cert: await read(`${file}.pem`), key: await read(`${file}.key`) };
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
