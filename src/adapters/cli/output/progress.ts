import type { Progress } from '../../../app/kernel/operation.ts';
import { grouped } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { TerminalOutput } from '../terminal.ts';

/** Shows how far long work is. */
export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Removes the display, so that what follows gets a line of its own. Idempotent. */
  clear(): void;
}

/** Display for callers that want no progress. */
export const NO_DISPLAY: ProgressDisplay = { update: ignore, clear: ignore };

/** A log shall be read, and not filled. */
const LINE_SECONDS = 5;

/** A bar on a terminal; lines in a log. */
export function progressDisplay(stream: TerminalOutput, title: string): ProgressDisplay {
  if (!stream.isTTY) return progressLog(stream, title);
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

/** Prints a line every few seconds. Work that ends sooner prints none. */
export function progressLog(stream: TerminalOutput, title: string, now = () => performance.now()): ProgressDisplay {
  let last = now();
  return {
    update({ done, total, unit, note }) {
      if (now() - last < LINE_SECONDS * 1000) return;
      last = now();
      const of =
        total === undefined || total === 0 ? '' : ` of ${grouped(total)} (${Math.floor((done / total) * 100)} %)`;
      const more = note === undefined ? '' : `, ${note}`;
      stream.write(`${printable(`${title}: ${grouped(done)}${of} ${unit}${more}`)}\n`);
    },
    clear: ignore,
  };
}

function ignore(): void {}
