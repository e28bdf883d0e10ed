import { worded } from '../../kit/worded.ts';
import { AppError, type SourceAccount, type SourceServices } from '../../ports/index.ts';
import type { Database } from './engine.ts';
import type { EngineName, SqlOptions } from './options.ts';
import { databaseFile, serverSettings } from './settings.ts';

interface Asked {
  readonly options: SqlOptions;
  readonly account: SourceAccount;
  readonly services: Pick<SourceServices, 'files' | 'logger'>;
}

/** Opens the database of an account. Drivers are loaded with the first account that needs them. */
export async function openDatabase(
  engine: EngineName,
  { options, account, services }: Asked,
  signal: AbortSignal,
): Promise<Database> {
  if (engine === 'sqlite') {
    const { openSqlite } = await import('./engines/sqlite.ts');
    return openSqlite(databaseFile(options, account.address), services.files, options.encoding);
  }
  if (options.encoding !== undefined)
    throw new AppError(
      'invalid_input',
      worded`encoding is of sqlite files alone: a server of ${{ engine }} says its own; remove encoding from the account`,
    );
  const settings = await serverSettings(engine, options, account, { files: services.files, signal });
  if (engine === 'postgresql') {
    const { openPostgresql } = await import('./engines/postgresql.ts');
    return openPostgresql(settings, services.logger, signal);
  }
  if (engine === 'mysql') {
    const { openMysql } = await import('./engines/mysql.ts');
    return openMysql(settings, services.logger, signal);
  }
  const { openMssql } = await import('./engines/mssql.ts');
  return openMssql(settings, services.logger, signal);
}
