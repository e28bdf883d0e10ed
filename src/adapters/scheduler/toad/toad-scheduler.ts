import { AsyncTask, SimpleIntervalJob, ToadScheduler } from 'toad-scheduler';
import type { Logger, ScheduledTask, Scheduler } from '../../../ports/index.ts';

/** Tasks on timers of this process. */
export function toadScheduler(deps: { readonly logger: Logger }): Scheduler {
  const tasks: ScheduledTask[] = [];
  const running = new Set<Promise<void>>();
  let scheduler: ToadScheduler | undefined;
  let controller = new AbortController();

  function startTask(task: ScheduledTask): void {
    const { signal } = controller;
    const asyncTask = new AsyncTask(
      task.name,
      () => {
        const pass = task.run(signal);
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
      if (scheduler !== undefined) startTask(task);
    },
    async start() {
      if (scheduler !== undefined) return;
      controller = new AbortController();
      scheduler = new ToadScheduler();
      for (const task of tasks) startTask(task);
    },
    async stop() {
      scheduler?.stop();
      scheduler = undefined;
      controller.abort();
      await Promise.allSettled(running);
    },
  };
}
