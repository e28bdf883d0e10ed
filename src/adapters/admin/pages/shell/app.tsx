import { Center, Loader } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { SessionProvider, useSessionQuery } from '../calls/session.ts';
import { Problem } from '../parts/problem.tsx';
import { router } from '../router.tsx';
import { LoginPage } from './login-page.tsx';

/** The login page for who is not logged in, the pages for who is. */
export function App() {
  const session = useSessionQuery();
  if (session.isError) return <Problem error={session.error} retry={() => void session.refetch()} />;
  if (session.isPending) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (session.data === null) return <LoginPage />;
  return (
    <SessionProvider value={session.data}>
      <RouterProvider router={router} />
    </SessionProvider>
  );
}
