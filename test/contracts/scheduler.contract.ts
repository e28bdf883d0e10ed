import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogFields, Logger, Scheduler } from '../../src/ports/index.ts';

/** A scheduler that counts time by the timers of the process. */
export function describeSchedulerContract(create: (deps: { readonly logger: Logger }) => Scheduler): void {
  describe('Scheduler', () => {
    let scheduler: Scheduler;
    let errors: LogFields[];

    beforeEach(() => {
      vi.useFakeTimers();
      errors = [];
      const logger: Logger = {
        debug() {},
        info() {},
        warn() {},
        error: (_message, fields = {}) => errors.push(fields),
        child: () => logger,
      };
      scheduler = create({ logger });
    });

    afterEach(async () => {
      await scheduler.stop();
      vi.useRealTimers();
    });

    it('runs a task again and again, from the start on, whether it was added before or after', async () => {
      const passes = { before: 0, after: 0 };
      scheduler.add({ name: 'before', everySeconds: 10, run: async () => void passes.before++ });
      await vi.advanceTimersByTimeAsync(60_000);
      expect(passes.before).toBe(0);
      await scheduler.start();
      await scheduler.start();
      scheduler.add({ name: 'after', everySeconds: 20, run: async () => void passes.after++ });
      await vi.advanceTimersByTimeAsync(41_000);
      expect(passes).toEqual({ before: 4, after: 2 });
    });

    it('begins at the start with what asks for that', async () => {
      let passes = 0;
      scheduler.add({ name: 'soon', everySeconds: 10, atStart: true, run: async () => void passes++ });
      expect(passes).toBe(0);
      await scheduler.start();
      await vi.advanceTimersByTimeAsync(1);
      expect(passes).toBe(1);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(passes).toBe(2);
    });

    it('leaves out a pass that is due while the last one runs', async () => {
      let passes = 0;
      let finish = (): void => undefined;
      scheduler.add({
        name: 'slow',
        everySeconds: 1,
        run: () => {
          passes++;
          return new Promise((resolve) => {
            finish = resolve;
          });
        },
      });
      await scheduler.start();
      await vi.advanceTimersByTimeAsync(5_500);
      expect(passes).toBe(1);
      finish();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(passes).toBe(2);
      finish();
    });

    it('logs a task that throws by its name, and runs it again next time', async () => {
      scheduler.add({ name: 'broken', everySeconds: 1, run: () => Promise.reject(new Error('no')) });
      await scheduler.start();
      await vi.advanceTimersByTimeAsync(2_500);
      expect(errors.map(({ task }) => task)).toEqual(['broken', 'broken']);
    });

    it('takes no new passes once it drains, and lets those that run end by themselves', async () => {
      let passes = 0;
      let aborted = false;
      let finish = (): void => undefined;
      scheduler.add({
        name: 'long',
        everySeconds: 1,
        async run(signal) {
          passes++;
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
          aborted = signal.aborted;
        },
      });
      await scheduler.start();
      await vi.advanceTimersByTimeAsync(1_500);
      scheduler.drain();
      scheduler.drain();
      scheduler.add({ name: 'late', everySeconds: 1, atStart: true, run: async () => void passes++ });
      await vi.advanceTimersByTimeAsync(10_000);
      finish();
      await vi.advanceTimersByTimeAsync(10_000);
      expect({ passes, aborted }).toEqual({ passes: 1, aborted: false });
      await scheduler.stop();
      expect(errors).toEqual([]);
    });

    it('takes no new passes once it stops, aborts those that run and waits for them', async () => {
      let passes = 0;
      let ended = false;
      scheduler.add({
        name: 'long',
        everySeconds: 1,
        async run(signal) {
          passes++;
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
          await Promise.resolve();
          ended = true;
        },
      });
      await scheduler.start();
      await vi.advanceTimersByTimeAsync(1_500);
      await scheduler.stop();
      expect(ended).toBe(true);
      await scheduler.stop();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(passes).toBe(1);
      expect(errors).toEqual([]);
    });
  });
}
