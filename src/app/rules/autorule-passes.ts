import type { RuleVersion, Storage } from '../../ports/index.ts';
import { isMadeByAutorule } from './autorules-pass.ts';

const BATCH_SIZE = 500;

/** Rules that autorules made and that nobody changed since, the newest first. */
export async function* untouchedByAutorules({ rules }: Pick<Storage, 'rules'>): AsyncGenerator<readonly RuleVersion[]> {
  for await (const batch of rules.lastVersions({ change: 'created' }, BATCH_SIZE)) {
    const made = batch.filter(isMadeByAutorule);
    if (made.length > 0) yield made;
  }
}
