import { describe, expect, it } from 'vitest';
import { AppError, type JobOutcome, type JobRun, type JobType, type JsonValue, type Logger } from '../ports/index.ts';
import { LONG_TIMEOUT } from './timeouts.ts';

export interface JobHarness {
  readonly job: JobType;
  /** Answers of the operations that the job calls, by name. */
  readonly answers: Readonly<Record<string, JsonValue>>;
}

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => logger };

/** A job that cron groups can rely on. */
export function describeJobContract(name: string, { job, answers }: JobHarness): void {
  describe(`${name}: job`, LONG_TIMEOUT, () => {
    function start(more: Partial<JobRun> = {}): Promise<JobOutcome> {
      return job.run({
        ...(job.account === 'required' ? { account: 'crm' } : {}),
        signal: new AbortController().signal,
        logger,
        async operation(operation) {
          if (Object.hasOwn(answers, operation)) return answers[operation] ?? null;
          throw new AppError('not_found', `there is no operation ${operation}`);
        },
        ...more,
      });
    }

    it('has a name of one line, a description, and no spelling twice', () => {
      for (const text of [job.id, job.description, ...job.aliases]) {
        expect(text).toBe(text.trim());
        expect(text).toMatch(/^[^\n\r]+$/);
      }
      const spellings = [job.id, ...job.aliases].map((text) => text.toLowerCase());
      expect(new Set(spellings).size).toBe(spellings.length);
      expect(['required', 'optional', 'none']).toContain(job.account);
    });

    it('says in one line what it did', async () => {
      const { message, failed = false, details = [] } = await start();
      expect(message).toMatch(/^[^\n\r]+$/);
      expect(failed).toBe(false);
      for (const detail of details) {
        expect(['debug', 'info', 'warning', 'error']).toContain(detail.level);
        expect(detail.message).not.toBe('');
      }
    });

    it('ends when its signal aborts', async () => {
      const controller = new AbortController();
      const { signal } = controller;
      const operation = (): Promise<never> =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      const run = start({ signal, operation }).catch(() => 'ended');
      controller.abort();
      await run;
    });

    it.runIf(Object.keys(answers).length > 0)('fails when what it calls fails', async () => {
      const refusal = new AppError('unavailable', 'the database is away');
      const run = start({ operation: () => Promise.reject(refusal) });
      const outcome = await run.catch((error: unknown) => ({ failed: error === refusal }));
      expect(outcome.failed).toBe(true);
    });
  });
}
