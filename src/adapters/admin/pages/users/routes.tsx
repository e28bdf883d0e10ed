import { t } from '@lingui/core/macro';
import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { lazyPage, showing } from '../parts/lazy-page.tsx';
import { textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';

const NewUserPage = lazyPage(() => import('./new-user-page.tsx').then((module) => module.NewUserPage));
const ProfilePage = lazyPage(() => import('./profile-page.tsx').then((module) => module.ProfilePage));
const UserPage = lazyPage(() => import('./user-page.tsx').then((module) => module.UserPage));
const UsersPage = lazyPage(() => import('./users-page.tsx').then((module) => module.UsersPage));

const OF_USERS = { operation: 'users/list-users', title: t`Users` } as const;

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): { readonly q?: string } => {
    const q = textParam(search.q);
    return q === undefined ? {} : { q };
  },
  component: showing(function Users() {
    const { q = '' } = listRoute.useSearch();
    const navigate = listRoute.useNavigate();
    return (
      <Allowed {...OF_USERS}>
        <UsersPage
          text={q}
          onText={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
        />
      </Allowed>
    );
  }, UsersPage),
});

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/new',
  component: showing(function NewUser() {
    return (
      <Allowed {...OF_USERS}>
        <NewUserPage />
      </Allowed>
    );
  }, NewUserPage),
});

// Each user gets a new instance of the page, so that nothing of the previous one remains.
const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/$name',
  component: showing(function ShownUser() {
    const { name } = userRoute.useParams();
    return (
      <Allowed {...OF_USERS}>
        <UserPage key={name} name={name} />
      </Allowed>
    );
  }, UserPage),
});

const profileRoute = createRoute({ getParentRoute: () => shellRoute, path: '/profile', component: ProfilePage });

export const usersRoutes = [listRoute, newRoute, userRoute, profileRoute] as const;
