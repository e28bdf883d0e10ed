import type * as z from 'zod';
import { AppError, type Wording } from '../../ports/index.ts';

/** An option that cannot be applied to what is read: the run fails, whichever file or page it was in. */
export class OptionFault extends AppError {
  constructor(message: Wording) {
    super('failed', message);
  }
}

/** Reports faults of an option when it is saved, using the function that reads the option at run time. */
export function refusedBy(read: (text: string) => unknown): (text: string, context: z.core.$RefinementCtx) => void {
  return (text, context) => {
    try {
      read(text);
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: error instanceof Error ? error.message : String(error),
        input: text,
      });
    }
  };
}
