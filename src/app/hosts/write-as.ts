import type { LabelWrite } from '../../ports/index.ts';
import type { Caller } from '../kernel/caller.ts';
import type { HostAccount } from './services.ts';

/** The part of a label write that says through which account, by whom and when. */
export function writeAs(account: HostAccount, caller: Caller, at: Date): Omit<LabelWrite, 'entries'> {
  return {
    account: { id: account.id, isObject: account.isObject, objectType: account.objectType },
    at,
    actor: { kind: 'user', name: caller.name },
  };
}
