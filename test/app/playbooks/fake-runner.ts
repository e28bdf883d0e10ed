import { AppError, type PlaybookCall, type PlaybookRunner } from '../../../src/ports/index.ts';

/** A runner that runs nothing, and notes what it was asked. */
export class FakeRunner implements PlaybookRunner {
  readonly calls: PlaybookCall[] = [];
  checks = 0;
  /** How many were running at once at most. */
  peak = 0;
  #running = 0;
  /** False: the program cannot be started at all. */
  installed = true;
  /** What a run does; the exit code. */
  act: (call: PlaybookCall, options: Parameters<PlaybookRunner['run']>[1]) => Promise<number | null> = async () => 0;

  async check(): Promise<void> {
    this.checks++;
    if (!this.installed) throw new AppError('failed', 'the program ansible-playbook cannot be started');
  }

  async run(call: PlaybookCall, options: Parameters<PlaybookRunner['run']>[1]): Promise<{ exitCode: number | null }> {
    this.calls.push(call);
    this.peak = Math.max(this.peak, ++this.#running);
    try {
      options.onOutput(`PLAY ${call.playbook}\n`);
      return { exitCode: await this.act(call, options) };
    } finally {
      this.#running--;
    }
  }

  /** Who was run for, and what, since the last call. */
  take(): string[] {
    return this.calls.splice(0).map(({ hostname, playbook }) => `${hostname} ${playbook}`);
  }
}

/** Waits until whoever runs it is told to stop. */
export function untilStopped({ signal }: { readonly signal: AbortSignal }): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
