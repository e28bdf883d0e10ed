import { printable } from '../../../../kit/words/escape.ts';
import { momentText } from '../../../../kit/words/moment.ts';
import type { Print } from '../../../kernel/print.ts';
import type { PastRun } from '../past-run.ts';

interface ShownRun {
  readonly run: PastRun;
  readonly began: string | null;
  readonly details: readonly { readonly level: string; readonly message: string }[];
}

/** A run with the lines of its log. */
export async function pastRunView({ run, began, details }: ShownRun, print: Print): Promise<void> {
  const { kind, name, at, outcome, message } = run;
  const since = began === null ? '' : `, began ${momentText(began)}`;
  const head = `${print.colours.bold(`${kind} of ${printable(name)}`)}: ${outcome}, ended ${momentText(at)}${since}`;
  const lines = details.map(
    ({ level, message: text }) => `  ${level === 'info' ? '' : `${level}: `}${printable(text)}`,
  );
  await print.result(`${[head, `  ${printable(message)}`, ...lines].join('\n')}\n`);
}
