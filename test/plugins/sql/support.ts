import { type SqlOptions, sqlOptions } from '../../../src/plugins/sql/options.ts';
import { readSql } from '../../../src/plugins/sql/read.ts';
import type { Source, SourceAccount } from '../../../src/ports/index.ts';
import { sourceFiles } from '../../support/files.ts';
import { itemsOf } from '../../support/read-source.ts';
import { type LoggedLine, recordingLogger } from '../../support/recording-logger.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const ACCOUNT: SourceAccount = { name: 'cmdb', address: '', username: '', password: 'a secret word' };

/** A source as the plugin opens it. */
export function sqlSource(fields: Fields, account: Partial<SourceAccount> = {}, lines: LoggedLine[] = []): Source {
  const options: SqlOptions = sqlOptions().parse(fields);
  const services = { files: sourceFiles, logger: recordingLogger(lines) };
  return { read: (context) => readSql({ options, account: { ...ACCOUNT, ...account }, services }, context) };
}

export async function labelsOf(source: Source): Promise<readonly object[]> {
  const items = await itemsOf(source);
  return items.map((item) => (item.kind === 'record' ? item.labels : item));
}
