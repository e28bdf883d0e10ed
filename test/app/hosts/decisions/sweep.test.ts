import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isUnseen, sweepDecision } from '../../../../src/app/hosts/decisions/sweep.ts';
import { account, hostState, moment, run } from './host-states.ts';

it('misses the active hosts of the account that the run did not write and nobody saw since it began', () => {
  const sweep = fc.record({ accountId: account, runId: run, seenBefore: moment });
  fc.assert(
    fc.property(hostState, sweep, (host, request) => {
      const reasonsToStay = [
        host.archive !== null,
        host.accountId !== request.accountId,
        host.runId === request.runId,
        (host.lastSeen ?? Number.NEGATIVE_INFINITY) >= request.seenBefore,
      ];
      expect(isUnseen(host, request)).toBe(!reasonsToStay.includes(true));
    }),
  );
});

it('archives all candidates or none, and none above the threshold', () => {
  const sweeps = fc.record({
    count: fc.integer({ min: 0, max: 60 }),
    activeBefore: fc.integer({ min: 0, max: 60 }),
    thresholdPercent: fc.integer({ min: 0, max: 100 }),
    preview: fc.boolean(),
  });
  fc.assert(
    fc.property(sweeps, ({ count, ...sweep }) => {
      const candidates = Array.from({ length: count }, (_, n) => `h${n}`);
      // The most hosts that may go, counted up one by one.
      let most = 0;
      while ((most + 1) / sweep.activeBefore <= sweep.thresholdPercent / 100) most++;
      const refused = count > most;
      expect(sweepDecision({ candidates, ...sweep })).toEqual({
        candidates: count,
        archived: refused || sweep.preview ? 0 : count,
        refused,
        sample: candidates.slice(0, 20),
      });
    }),
  );
});
