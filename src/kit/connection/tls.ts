import { isIP } from 'node:net';
import { type ConnectionOptions as NodeTls, rootCertificates } from 'node:tls';
import type { SourceFiles } from '../../ports/index.ts';
import { type Certificates, certificatesOf } from './certificates.ts';
import type { ConnectionOptions } from './options.ts';

/** How a connection is encrypted. */
export interface Encryption {
  /** False: goes on in clear where the server offers no encryption. */
  readonly required: boolean;
  /** Whether the certificate of the server is checked. */
  readonly verify: boolean;
  readonly certificates: Certificates;
  /** Nobody else can listen on the way. */
  readonly isHere: boolean;
}

export async function encryptionOf(
  options: ConnectionOptions,
  host: string,
  files: Pick<SourceFiles, 'read'>,
  signal: AbortSignal,
): Promise<Encryption> {
  const certificates = await certificatesOf(options, files, signal);
  const isHere = isThisMachine(host);
  return {
    required: !options.allow_unencrypted && !isHere,
    verify: options.verify_cert ?? true,
    certificates,
    isHere,
  };
}

/** The settings that Node's TLS takes. Authorities of the account are trusted besides those of the machine. */
export function tlsSettings(
  { verify, certificates }: Encryption,
  host: string,
): Pick<
  NodeTls,
  'rejectUnauthorized' | 'ca' | 'cert' | 'key' | 'passphrase' | 'minVersion' | 'servername' | 'checkServerIdentity'
> {
  const { ca, ...client } = certificates;
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: verify,
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...client,
    // An address is no server name (RFC 6066), and is checked all the same.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(verify ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** Whether nobody else can listen on the way. */
function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
