import { typeNamed } from '../accounts/option-fields.ts';
import { useAnswer } from '../calls/use-call.ts';

/** The kinds of objects that the target of an account has; none while the account is not known, or is gone. */
export function useKinds(account: string | undefined): readonly { readonly id: string; readonly title: string }[] {
  const shown = useAnswer('accounts/show-account', { name: account ?? '' }, { enabled: account !== undefined });
  const types = useAnswer('accounts/list-account-types', {});
  if (shown.data === undefined) return [];
  return typeNamed(types.data?.types ?? [], shown.data.type)?.objects ?? [];
}
