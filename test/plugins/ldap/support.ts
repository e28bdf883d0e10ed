import { ldapOptions } from '../../../src/plugins/ldap/options.ts';
import { readLdap } from '../../../src/plugins/ldap/read.ts';
import type { Source, SourceAccount } from '../../../src/ports/index.ts';
import { sourceFiles } from '../../support/files.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const ACCOUNT: SourceAccount = {
  name: 'directory',
  address: '',
  username: 'cn=reader,dc=example,dc=test',
  password: 'a secret word',
};

/** A source as the plugin opens it. */
export function ldapSource(fields: Fields, account: Partial<SourceAccount> = {}, lines: LoggedLine[] = []): Source {
  const options = ldapOptions().parse({ base_dn: 'dc=example,dc=test', ...fields });
  const services = { files: sourceFiles, logger: recordingLogger(lines) };
  return { read: (context) => readLdap({ options, account: { ...ACCOUNT, ...account }, services }, context) };
}
