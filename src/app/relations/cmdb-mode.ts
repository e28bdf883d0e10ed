import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { Config } from '../kernel/config/schema.ts';

const WITHOUT = worded`relations are not enabled here; set CMDB_MODE to true in the configuration`;

/** Relations exist only in CMDB mode: otherwise why not. */
export function withoutCmdbMode({ CMDB_MODE }: Pick<Config, 'CMDB_MODE'>): string | undefined {
  return CMDB_MODE ? undefined : WITHOUT.text;
}

export function requireCmdbMode(config: Pick<Config, 'CMDB_MODE'>): void {
  if (withoutCmdbMode(config) !== undefined) throw new AppError('not_found', WITHOUT);
}
