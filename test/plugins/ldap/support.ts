import { ldapOptions } from '../../../src/plugins/ldap/options.ts';
import { readLdap } from '../../../src/plugins/ldap/read.ts';
import type { Source, SourceAccount, SourceItem } from '../../../src/ports/index.ts';
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
  const options = ldapOptions.parse({ base_dn: 'dc=example,dc=test', ...fields });
  const services = { files: sourceFiles, logger: recordingLogger(lines) };
  return { read: (context) => readLdap({ options, account: { ...ACCOUNT, ...account }, services }, context) };
}

export async function itemsOf(source: Source, signal = new AbortController().signal): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  for await (const batch of source.read({ signal, progress: () => undefined })) items.push(...batch);
  return items;
}

/** The code and message that a read fails with. */
export async function faultOf(source: Source): Promise<string> {
  try {
    await itemsOf(source);
  } catch (error) {
    const { name, code, message } = error as { name: string; code: string; message: string };
    if (name === 'AppError') return `${code}: ${message}`;
    throw error;
  }
  throw new Error('the read did not fail');
}
