import type { Progress } from '../../../app/kernel/operation.ts';
import type { TerminalOutput } from '../terminal.ts';

/** Shows how far long work is. */
export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Takes the display away, so that what follows stands on a line of its own. Idempotent. */
  clear(): void;
}

/** A bar on a terminal, nothing in a pipe. */
export function progressDisplay(stream: TerminalOutput, title: string): ProgressDisplay {
  if (!stream.isTTY) return { update: ignore, clear: ignore };
  let bar: ProgressDisplay | undefined;
  let loading = false;
  let latest: Progress | undefined;
  let cleared = false;
  return {
    update(progress) {
      latest = progress;
      if (bar !== undefined) bar.update(progress);
      if (loading || cleared) return;
      loading = true;
      import('./progress-bar.ts').then(({ progressBar }) => {
        if (cleared) return;
        bar = progressBar(stream, title);
        if (latest !== undefined) bar.update(latest);
      }, ignore);
    },
    clear() {
      cleared = true;
      bar?.clear();
    },
  };
}

function ignore(): void {}
