import { maskedError } from '../../kit/masking/masked.ts';
import { type Said, saidBy, worded } from '../../kit/worded.ts';
import { AppError, type Logger } from '../../ports/index.ts';

/** Why an export failed, for its report. */
export interface ExportBreak {
  readonly said: Said;
  readonly cancelled: boolean;
}

/**
 * Returns why an export broke off. Writes what only the program log may contain there. `mask` hides secrets in messages of the
 * target.
 */
export function exportBreak(
  { logger, account, signal }: { readonly logger: Logger; readonly account: string; readonly signal: AbortSignal },
  error: unknown,
  mask: (text: string) => string = (text) => text,
): ExportBreak {
  if (signal.aborted) return { said: worded`the export was cancelled; the next run completes it`, cancelled: true };
  if (error instanceof AppError && error.code !== 'internal') {
    return { said: saidBy(maskedError(error, mask)), cancelled: false };
  }
  logger.error('export failed unexpectedly', { account, error });
  return { said: worded`the export failed for an unexpected reason; the program log has details`, cancelled: false };
}
