import { worded } from '../../kit/worded.ts';
import { shellWord } from '../../kit/words/escape.ts';
import type { FileReach } from '../../ports/files.ts';
import type { Account } from './account-directory.ts';

/**
 * Allowed places for the files of an account: anywhere if the operator of the machine vouches for all documents that name them,
 * that of the account and that of its parent. An administrator of the service does not own the machine.
 */
export function fileReach({ record, parentRecord }: Pick<Account, 'record' | 'parentRecord'>): FileReach {
  const records = parentRecord === undefined ? [record] : [record, parentRecord];
  const others = records.filter(({ confirmedBy }) => confirmedBy !== 'operator');
  const { name } = others[0] ?? record;
  return {
    anywhere: others.length === 0,
    advice: worded`let the operator of the machine confirm it with "muster rules confirm accounts ${{ account: shellWord(name) }}"`,
  };
}
