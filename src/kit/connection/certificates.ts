import { AppError, type SourceFiles } from '../../ports/index.ts';
import { worded } from '../worded.ts';

/** The options that name files with certificates. Every account of a system over a network has them. */
export interface CertificateOptions {
  readonly ca_cert_chain?: string | undefined;
  readonly ca_root_cert?: string | undefined;
  readonly client_cert?: string | undefined;
  readonly client_key?: string | undefined;
  readonly client_key_passphrase?: string | undefined;
}

/** The contents of those files. */
export interface Certificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
}

/** Reads the certificates of an account. They are files that the account may read. */
export async function certificatesOf(
  options: CertificateOptions,
  files: Pick<SourceFiles, 'read'>,
  signal: AbortSignal,
): Promise<Certificates> {
  const read = (path: string | undefined): Promise<string> => fileText(files, path, signal);
  const authorities = [await read(options.ca_cert_chain), await read(options.ca_root_cert)].filter((pem) => pem !== '');
  const cert = await read(options.client_cert);
  const key = options.client_key === undefined ? cert : await read(options.client_key);
  return {
    ...(authorities.length === 0 ? {} : { ca: authorities.join('\n') }),
    ...(cert === '' ? {} : { cert }),
    ...(key === '' ? {} : { key }),
    ...(options.client_key_passphrase === undefined ? {} : { passphrase: options.client_key_passphrase }),
  };
}

const MOST_BYTES = 1024 * 1024;

async function fileText(
  files: Pick<SourceFiles, 'read'>,
  path: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (path === undefined || path === '') return '';
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of files.read(path, { signal, progress: () => undefined })) {
    size += piece.length;
    if (size > MOST_BYTES) throw new AppError('failed', worded`${{ path }} is too large for certificates`);
    // It is overwritten when the next one comes.
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString('utf8');
}
