import { describe, expect, it } from 'vitest';
import type { Storage } from '../ports/index.ts';
import { minute, ruleId } from './samples.ts';

export function describeSignInStoreContract(fresh: () => Storage): void {
  describe('SignInStore', () => {
    it('keeps the latest time that a user was vouched for', async () => {
      const { signIns } = fresh();
      expect(await signIns.vouchedAt(ruleId(1))).toBeUndefined();
      await signIns.vouch(ruleId(1), minute(5));
      await signIns.vouch(ruleId(1), minute(3));
      await signIns.vouch(ruleId(2), minute(1));
      expect(await signIns.vouchedAt(ruleId(1))).toEqual(minute(5));
      await signIns.vouch(ruleId(1), minute(6));
      expect(await signIns.vouchedAt(ruleId(1))).toEqual(minute(6));
      expect(await signIns.vouchedAt(ruleId(2))).toEqual(minute(1));
    });

    it('forgets it, and takes an older time again then', async () => {
      const { signIns } = fresh();
      await signIns.vouch(ruleId(1), minute(5));
      await signIns.vouch(ruleId(2), minute(5));
      expect(await signIns.withdraw(ruleId(1))).toBe(true);
      expect(await signIns.withdraw(ruleId(1))).toBe(false);
      expect(await signIns.vouchedAt(ruleId(1))).toBeUndefined();
      expect(await signIns.vouchedAt(ruleId(2))).toEqual(minute(5));
      await signIns.vouch(ruleId(1), minute(2));
      expect(await signIns.vouchedAt(ruleId(1))).toEqual(minute(2));
    });
  });
}
