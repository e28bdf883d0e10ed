import { Format, type Options, type Params, SingleBar } from 'cli-progress';
import type { Progress } from '../../../app/kernel/operation.ts';
import { grouped } from '../../../kit/words/amounts.ts';
import { printable } from '../../../kit/words/escape.ts';
import type { TerminalOutput } from '../terminal.ts';
import type { ProgressDisplay } from './progress.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** A bar while the total is known, a spinner with a count while it is not. */
export function progressBar(stream: TerminalOutput, title: string): ProgressDisplay {
  let turn = 0;
  const bar = new SingleBar({
    stream,
    clearOnComplete: true,
    hideCursor: true,
    barsize: 24,
    fps: 10,
    gracefulExit: false,
    format: (options: Options, params: Params, payload: { progress?: Progress }) =>
      line(title, options, params, payload.progress, turn++),
  });
  let started = false;
  return {
    update(progress) {
      const total = Math.max(progress.total ?? 0, progress.done);
      if (!started) bar.start(total, progress.done, { progress });
      started = true;
      bar.setTotal(total);
      bar.update(progress.done, { progress });
    },
    clear() {
      if (started) bar.stop();
      started = false;
    },
  };
}

function line(title: string, options: Options, params: Params, progress: Progress | undefined, turn: number): string {
  const note = progress?.note === undefined ? '' : `  ${printable(progress.note)}`;
  if (progress?.total === undefined) {
    return `${SPINNER[turn % SPINNER.length]} ${title}  ${amount(progress?.done ?? 0, progress?.unit)}${note}`;
  }
  const percent = `${Math.floor(params.progress * 100)}`.padStart(3);
  return `${title}  ${Format.BarFormat(params.progress, options)} ${percent} %  ${amount(progress.done, progress.unit)} of ${amount(progress.total, progress.unit)}${note}`;
}

function amount(count: number, unit: Progress['unit'] | undefined): string {
  if (unit !== 'bytes') return `${grouped(count)} ${unit ?? ''}`.trimEnd();
  if (count < 1e6) return `${(count / 1e3).toFixed(0)} kB`;
  return count < 1e9 ? `${(count / 1e6).toFixed(1)} MB` : `${(count / 1e9).toFixed(2)} GB`;
}
