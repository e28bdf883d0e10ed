import { AppError } from '../../ports/index.ts';
import { detailOf, worded } from '../worded.ts';
import type { HttpAccountOptions } from './options.ts';

/** The option that a kind of login needs in addition to the credentials of the account. */
const NEEDED = { oauth2: 'token_url', session: 'login_path' } as const;

/** For `refuse` of a type: an account whose kind of login lacks an option is not saved. `httpClientOf` would refuse it at each run. */
export function refuseLogin(options: Partial<Pick<HttpAccountOptions, 'auth' | 'token_url' | 'login_path'>>): void {
  const { auth } = options;
  if (auth !== 'oauth2' && auth !== 'session') return;
  const option = NEEDED[auth];
  if (options[option] !== undefined) return;
  const reason = worded`auth ${{ auth }} needs it`;
  throw new AppError('invalid_input', worded`${{ option }} is missing: ${{ reason }}`, {
    details: [detailOf(option, worded`is missing: ${{ reason }}`)],
  });
}
