import { Center, Loader } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { type Session, SessionProvider, useSessionQuery } from '../calls/session.ts';
import { Problem } from '../parts/problem.tsx';
import { router } from '../router.tsx';
import { LoginAgain } from './login-again.tsx';
import { LoginPage } from './login-page.tsx';

/** The login page for who is not logged in, the pages for who is. They stay, with what was typed, when the session ends. */
export function App() {
  const session = useSessionQuery();
  const [shown, setShown] = useState<Session>();
  if (session.data && session.data !== shown && (shown === undefined || session.data.user === shown.user)) {
    setShown(session.data);
  }
  if (shown !== undefined) {
    return (
      <SessionProvider value={shown}>
        <RouterProvider router={router} />
        <LoginAgain isOpen={session.data === null} user={shown.user} />
      </SessionProvider>
    );
  }
  if (session.isError) return <Problem error={session.error} retry={() => void session.refetch()} />;
  if (session.isPending) {
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  return <LoginPage />;
}
