import { AsyncTask, SimpleIntervalJob, ToadScheduler } from 'toad-scheduler';
import type { Logger, ScheduledTask, Scheduler, Timings } from '../../../ports/index.ts';

export interface ToadSchedulerDeps {
  readonly logger: Logger;
  /** Receives the duration of each pass. */
  readonly timings?: Timings;
}

/** Tasks on timers of this process. */
export function toadScheduler(deps: ToadSchedulerDeps): Scheduler {
  const tasks: ScheduledTask[] = [];
  const running = new Set<Promise<void>>();
  let scheduler: ToadScheduler | undefined;
  let isDraining = false;
  let controller = new AbortController();

  async function timed(task: ScheduledTask, signal: AbortSignal): Promise<void> {
    const from = performance.now();
    let failed = true;
    try {
      await task.run(signal);
      failed = false;
    } finally {
      deps.timings?.took('scheduler', task.name, performance.now() - from, failed);
    }
  }

  function startTask(task: ScheduledTask): void {
    const { signal } = controller;
    const asyncTask = new AsyncTask(
      task.name,
      () => {
        const pass = timed(task, signal);
        running.add(pass);
        return pass.finally(() => running.delete(pass));
      },
      (error) => {
        if (!signal.aborted) deps.logger.error('scheduled task failed', { task: task.name, error });
      },
    );
    const schedule = { seconds: task.everySeconds, runImmediately: task.atStart === true };
    scheduler?.addSimpleIntervalJob(
      new SimpleIntervalJob(schedule, asyncTask, { id: task.name, preventOverrun: true }),
    );
  }

  return {
    add(task) {
      tasks.push(task);
      if (scheduler !== undefined && !isDraining) startTask(task);
    },
    async start() {
      if (scheduler !== undefined) return;
      controller = new AbortController();
      isDraining = false;
      scheduler = new ToadScheduler();
      for (const task of tasks) startTask(task);
    },
    drain() {
      isDraining = true;
      scheduler?.stop();
    },
    async stop() {
      scheduler?.stop();
      scheduler = undefined;
      controller.abort();
      await Promise.allSettled(running);
    },
  };
}
