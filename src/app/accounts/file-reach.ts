import type { FileReach } from '../../ports/files.ts';
import type { Account } from './account-directory.ts';

/**
 * How far the files of an account may lie: anywhere where the operator of the machine vouches for all that names them, the
 * document of the account and that of its parent. Whoever administers the service is not who the machine belongs to.
 */
export function fileReach({ name, record, parentRecord }: Account): FileReach {
  const records = parentRecord === undefined ? [record] : [record, parentRecord];
  return { account: name, anywhere: records.every(({ confirmedBy }) => confirmedBy === 'operator') };
}
