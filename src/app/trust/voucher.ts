import type { ConfirmedBy } from '../../ports/index.ts';
import { type Caller, isAdministrator } from '../execution/caller.ts';

/** For whom a document counts as confirmed that this caller writes. Jobs write in nobody's name. */
export function voucherOf(caller: Caller): ConfirmedBy {
  if (caller.entrance === 'cli') return 'operator';
  return caller.entrance !== 'cron' && isAdministrator(caller) ? 'administrator' : null;
}
