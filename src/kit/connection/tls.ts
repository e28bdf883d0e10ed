import { isIP } from 'node:net';
import { type ConnectionOptions as NodeTls, rootCertificates } from 'node:tls';
import type { SourceFiles } from '../../ports/index.ts';
import { type Certificates, certificatesOf } from './certificates.ts';
import type { ConnectionOptions } from './options.ts';

/** How a connection is encrypted. */
export interface Encryption {
  /** If false, the connection continues unencrypted when the server offers no encryption. */
  readonly required: boolean;
  /** Whether the certificate of the server is checked. */
  readonly verify: boolean;
  readonly certificates: Certificates;
  /** True if the connection never leaves the machine, so it cannot be eavesdropped on. */
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

/** Returns the settings for Node's TLS. The account's certificate authorities are trusted in addition to those of the machine. */
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
    // An IP address is not a valid server name (RFC 6066), but the certificate is still checked against it.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(verify ? {} : { checkServerIdentity: () => undefined }),
  };
}

/** Whether the host is this machine, so that the connection cannot be eavesdropped on. */
function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
