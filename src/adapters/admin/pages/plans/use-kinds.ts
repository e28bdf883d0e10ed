import { typeNamed } from '../accounts/option-fields.ts';
import { may, useSession } from '../calls/session.ts';
import { useAnswer } from '../calls/use-call.ts';

/** The kinds of objects that the target of an account has; none while the account is not known, or is gone. */
export function useKinds(account: string | undefined): readonly { readonly id: string; readonly title: string }[] {
  const session = useSession();
  const maySee = may(session, 'accounts/show-account') && may(session, 'accounts/list-account-types');
  const shown = useAnswer(
    'accounts/show-account',
    { name: account ?? '' },
    { enabled: maySee && account !== undefined },
  );
  const types = useAnswer('accounts/list-account-types', {}, { enabled: maySee });
  if (shown.data === undefined) return [];
  return typeNamed(types.data?.types ?? [], shown.data.type)?.objects ?? [];
}
