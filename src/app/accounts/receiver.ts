import { worded } from '../../kit/worded.ts';
import { AppError } from '../../ports/index.ts';
import type { AccountServices } from './services.ts';

/** Returns the account that notifications are sent through, with its type. Throws `not_found` or `invalid_input`. */
export async function receiverNamed(services: AccountServices, name: string) {
  const account = await services.accounts.byName(name);
  if (account === undefined) throw new AppError('not_found', worded`there is no account ${{ name }} to send through`);
  const registered = services.plugins.notificationChannel(account.type);
  if (registered === undefined) {
    const known = services.plugins.notificationChannelIds().join(', ');
    throw new AppError(
      'invalid_input',
      worded`account ${{ name }} is of type ${{ type: account.type }}, which sends no notifications; those that do: ${{ known }}`,
    );
  }
  return { account, type: registered.item, pluginId: registered.pluginId };
}
