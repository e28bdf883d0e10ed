import { createRoute } from '@tanstack/react-router';
import { Allowed } from '../parts/allowed.tsx';
import { textParam } from '../parts/search-params.ts';
import { shellRoute } from '../shell/shell-route.tsx';
import { NewUserPage } from './new-user-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { UserPage } from './user-page.tsx';
import { UsersPage } from './users-page.tsx';

const OF_USERS = { operation: 'users/list-users', title: 'Users' } as const;

const listRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users',
  validateSearch: (search: Record<string, unknown>): { readonly q?: string } => {
    const q = textParam(search.q);
    return q === undefined ? {} : { q };
  },
  component: function Users() {
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
  },
});

const newRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/new',
  component: function NewUser() {
    return (
      <Allowed {...OF_USERS}>
        <NewUserPage />
      </Allowed>
    );
  },
});

// The page is made anew for another user, so that nothing of the one before stands in it.
const userRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/users/$name',
  component: function ShownUser() {
    const { name } = userRoute.useParams();
    return (
      <Allowed {...OF_USERS}>
        <UserPage key={name} name={name} />
      </Allowed>
    );
  },
});

const profileRoute = createRoute({ getParentRoute: () => shellRoute, path: '/profile', component: ProfilePage });

export const usersRoutes = [listRoute, newRoute, userRoute, profileRoute] as const;
