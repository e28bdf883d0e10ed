import { AppError } from '../../../ports/index.ts';
import type { Config } from '../../config/schema.ts';

/** Relations exist only in CMDB mode. */
export function requireCmdbMode(config: Config): void {
  if (!config.CMDB_MODE) {
    throw new AppError('not_found', 'relations are not enabled here; set CMDB_MODE to true in the configuration');
  }
}
