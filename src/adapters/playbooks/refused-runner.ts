import { AppError, type PlaybookRunner } from '../../ports/index.ts';

/** Runs nothing and says why. */
export function refusedPlaybookRunner(reason: string): PlaybookRunner {
  const refuse = async (): Promise<never> => {
    throw new AppError('failed', reason);
  };
  return { check: refuse, run: refuse };
}
