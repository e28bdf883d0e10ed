import { worded } from '../../../../kit/worded.ts';
import type { WriteOutcome } from '../write-mode.ts';

/** Of a record that is, by its key, a host which an operator archived. */
export function archivedAs({ from, key }: { readonly from: string; readonly key: string }): WriteOutcome {
  const reason = worded`it has ${{ key }} of ${{ from }}, which an operator archived; "muster host restore" brings that host back, and the next run gives it this name`;
  return { kind: 'skipped', reason };
}
