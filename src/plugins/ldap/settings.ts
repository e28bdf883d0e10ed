import type { ConnectionOptions } from '../../kit/connection/options.ts';
import { type Encryption, encryptionOf } from '../../kit/connection/tls.ts';
import { worded } from '../../kit/worded.ts';
import { AppError, type SourceAccount, type SourceFiles } from '../../ports/index.ts';
import type { LdapOptions } from './options.ts';

/** The address and credentials for a directory. */
export interface LdapSettings {
  /** How it is called in messages. */
  readonly server: string;
  readonly host: string;
  readonly port: number;
  /** ldaps:// */
  readonly isEncrypted: boolean;
  /** Whether ldap:// is encrypted by StartTLS. */
  readonly startTls: boolean;
  readonly encryption: Encryption;
  readonly username: string;
  readonly password: string;
  readonly connectSeconds: number;
  readonly querySeconds: number;
}

/** Account options for the connection to a directory. */
export type LdapWay = Pick<LdapOptions, 'use_tls' | 'query_timeout' | keyof ConnectionOptions>;

export async function ldapSettings(
  options: LdapWay,
  { address, username, password }: SourceAccount,
  { files, signal }: { readonly files: Pick<SourceFiles, 'read'>; readonly signal: AbortSignal },
): Promise<LdapSettings> {
  const found = /^(ldaps?):\/\/(?:\[([^\]]+)\]|([^/:?#[\]@\s]+))(?::(\d{1,5}))?\/?$/i.exec(address.trim());
  if (found === null) {
    throw new AppError(
      'invalid_input',
      worded`the address of the account must be ldaps://server or ldap://server, with a port if it is not the usual one; muster account set changes it`,
    );
  }
  const [, scheme = '', bracketed, name = '', port] = found;
  const host = bracketed ?? name;
  const isEncrypted = scheme.toLowerCase() === 'ldaps';
  if (!isEncrypted && !options.use_tls && !options.allow_unencrypted) {
    throw new AppError(
      'invalid_input',
      worded`use_tls is off, which needs allow_unencrypted: the password can be read on the way`,
    );
  }
  return {
    server: address.trim().replace(/\/$/, ''),
    host,
    port: port === undefined ? (isEncrypted ? 636 : 389) : Number(port),
    isEncrypted,
    startTls: options.use_tls,
    encryption: await encryptionOf(options, host, files, signal),
    username,
    password,
    connectSeconds: options.request_timeout,
    querySeconds: options.query_timeout,
  };
}
