import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';

const AccountPage = lazyPage(() => import('./account-page.tsx').then((module) => module.AccountPage));
const AccountsPage = lazyPage(() => import('./accounts-page.tsx').then((module) => module.AccountsPage));
const EditAccountPage = lazyPage(() => import('./edit-account-page.tsx').then((module) => module.EditAccountPage));
const NewAccountPage = lazyPage(() => import('./new-account-page.tsx').then((module) => module.NewAccountPage));

const OF_ACCOUNTS = { operation: 'accounts/show-accounts', title: t`Accounts` } as const;

interface NewAccountSearch {
  readonly type?: string;
  readonly form?: 'plain';
  /** Set if the user wanted a source of hosts or a receiver. */
  readonly kind?: 'source' | 'receiver';
  /** Page to open once it is made, instead of its own. */
  readonly next?: 'new-host';
}

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts',
  validateSearch: (search: Record<string, unknown>): { readonly q?: string } => {
    const q = textParam(search.q);
    return q === undefined ? {} : { q };
  },
  component: showing(function Accounts() {
    const { q = '' } = listRoute.useSearch();
    const navigate = listRoute.useNavigate();
    return (
      <Allowed {...OF_ACCOUNTS}>
        <AccountsPage
          text={q}
          onText={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
        />
      </Allowed>
    );
  }, AccountsPage),
});

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts/new',
  validateSearch: (search: Record<string, unknown>): NewAccountSearch => {
    const type = textParam(search.type);
    return {
      ...(type === undefined ? {} : { type }),
      ...(search.form === 'plain' ? { form: 'plain' } : {}),
      ...(search.kind === 'source' || search.kind === 'receiver' ? { kind: search.kind } : {}),
      ...(search.next === 'new-host' ? { next: 'new-host' } : {}),
    };
  },
  component: showing(function NewAccount() {
    const { type, form, kind, next } = newRoute.useSearch();
    const navigate = newRoute.useNavigate();
    return (
      <Allowed {...OF_ACCOUNTS}>
        <NewAccountPage
          type={type}
          isPlain={form === 'plain'}
          purpose={kind}
          isForHost={next === 'new-host'}
          onType={(chosen) =>
            void navigate({ search: (now) => ({ ...now, type: chosen }), replace: true, resetScroll: false })
          }
          onPlain={(isPlain) =>
            void navigate({
              search: ({ form: _, ...now }) => ({ ...now, ...(isPlain ? { form: 'plain' } : {}) }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      </Allowed>
    );
  }, NewAccountPage),
});

// Each account gets a new instance of its page, so that nothing of the previous one remains.
const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts/$name',
  component: showing(function ShownAccount() {
    const { name } = accountRoute.useParams();
    return (
      <Allowed {...OF_ACCOUNTS}>
        <AccountPage key={name} name={name} />
      </Allowed>
    );
  }, AccountPage),
});

const editRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/accounts/$name/edit',
  component: showing(function EditedAccount() {
    const { name } = editRoute.useParams();
    return (
      <Allowed {...OF_ACCOUNTS}>
        <EditAccountPage key={name} name={name} />
      </Allowed>
    );
  }, EditAccountPage),
});

export const accountsRoutes = [listRoute, newRoute, accountRoute, editRoute] as const;
