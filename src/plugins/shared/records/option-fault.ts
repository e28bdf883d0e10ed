import { AppError, type Wording } from '../../../ports/index.ts';

/** An option that cannot be applied to what is read: the run fails, whichever file or page it was in. */
export class OptionFault extends AppError {
  constructor(message: Wording) {
    super('failed', message);
  }
}
