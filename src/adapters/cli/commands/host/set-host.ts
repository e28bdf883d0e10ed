import { saveHost } from '../../../../app/hosts/operations/save-host.ts';
import { parseJsonBody } from '../../../../kit/json/json-body.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import { readInput } from '../../input-text.ts';
import type { Pairs } from '../../option-values.ts';
import { UsageError } from '../../usage-error.ts';
import { labelOf } from './label-option.ts';

interface SetOptions {
  readonly account: string;
  readonly label?: Pairs;
  readonly labelsFrom?: string;
  readonly json?: true;
}

export async function setHost(context: CommandContext, hostname: string, options: SetOptions): Promise<void> {
  if (options.label === undefined && options.labelsFrom === undefined) {
    throw new UsageError('give the labels with --label key=value or --labels-from <file>');
  }
  const labels = {
    ...(options.labelsFrom === undefined ? {} : await labelsOfFile(context, options.labelsFrom)),
    ...Object.fromEntries((options.label ?? []).map((pair) => labelOf('--label', pair))),
  };
  const answer = await context.value(saveHost, { hostname, account: options.account, labels });
  if (options.json) await context.json(answer);
  else context.note(`Saved ${hostname}.`);
}

async function labelsOfFile(context: CommandContext, path: string): Promise<object> {
  const bytes = await readInput(path, context.terminal);
  let value: unknown;
  try {
    value = parseJsonBody(bytes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(`--labels-from ${path}: ${error.message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`--labels-from ${path} must hold a JSON object of labels`);
  }
  return value;
}
