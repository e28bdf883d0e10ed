import { t } from '@lingui/core/macro';
import type { OfferedName } from '../../offered-operations.ts';
import type { SessionAnswer } from '../../routes.ts';

export interface OwnPage {
  readonly to: string;
  readonly label: string;
  /** The operation behind the page. */
  readonly operation: OfferedName;
}

/** Documents stored with the rules that have pages of their own, with further data. */
export const OWN_PAGES: Readonly<Record<string, OwnPage>> = {
  accounts: { to: '/accounts', label: t`Accounts`, operation: 'accounts/show-accounts' },
  users: { to: '/users', label: t`Users`, operation: 'users/list-users' },
  cron_groups: { to: '/cron', label: t`Cron groups`, operation: 'cron/list-groups' },
  host_objects: { to: '/hosts', label: t`Hosts`, operation: 'search/search-hosts' },
};

/** Returns the page for documents of the type, if the user may see it. */
export function ownPageOf(
  { id }: { readonly id: string },
  session: Pick<SessionAnswer, 'refused'>,
): OwnPage | undefined {
  const page = OWN_PAGES[id];
  return page !== undefined && session.refused[page.operation] === undefined ? page : undefined;
}

/**
 * Whether the type is offered among those of rules. One that is only stored with them is offered to users who may open its own
 * page.
 */
export function isOffered(
  type: { readonly id: string; readonly export_group: string },
  session: Pick<SessionAnswer, 'refused'>,
): boolean {
  return type.export_group === 'rules' || OWN_PAGES[type.id] === undefined || ownPageOf(type, session) !== undefined;
}
