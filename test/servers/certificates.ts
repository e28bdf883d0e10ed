import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authority, type Certificate } from '../support/certificates.ts';

export interface ServerCertificates {
  /** The file with the certificate of the authority. */
  readonly ca: string;
  readonly server: Certificate & { readonly ca: string };
}

/** A certificate for the loopback by an authority that nobody else knows; the authority's own stands in the folder. */
export async function serverCertificates(folder: string): Promise<ServerCertificates> {
  const made = await authority();
  try {
    const server = await made.issue('DNS:localhost,IP:127.0.0.1', { days: 30 });
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, made.ca);
    await chmod(ca, 0o644);
    return { ca, server: { ...server, ca: made.ca } };
  } finally {
    await made.close();
  }
}
