import { AppError } from '../../../ports/index.ts';

/** An option that cannot be applied to what is read: the run fails, whichever file or page it was in. */
export class OptionFault extends AppError {
  constructor(message: string) {
    super('failed', message);
  }
}
