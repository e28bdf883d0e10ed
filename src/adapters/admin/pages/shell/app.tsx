import { t } from '@lingui/core/macro';
import { Center, Loader } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { type Session, SessionProvider, useSessionQuery } from '../calls/session.ts';
import { Problem } from '../parts/problem.tsx';
import { router } from '../router.tsx';

// A logged-in user needs neither of them, and the first page should load fast for all.
const LoginPage = lazy(async () => ({ default: (await import('./login-page.tsx')).LoginPage }));
const loadLoginAgain = async () => ({ default: (await import('./login-again.tsx')).LoginAgain });
const LoginAgain = lazy(loadLoginAgain);
/**
 * Loaded after the page is there: it must not be waited for when a session ends, and the service may have other files by then.
 */
const LOGIN_AGAIN_AFTER_MS = 5_000;

/** Shows the login page, or the pages to a logged-in user. They stay, with all input, when the session ends. */
export function App() {
  const session = useSessionQuery();
  const [shown, setShown] = useState<Session>();
  if (session.data && session.data !== shown && (shown === undefined || session.data.user === shown.user)) {
    setShown(session.data);
  }
  const isIn = shown !== undefined;
  useEffect(() => {
    if (!isIn) return;
    const timer = setTimeout(() => void loadLoginAgain().catch(() => undefined), LOGIN_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isIn]);
  const hasEnded = isIn && session.data === null;
  const [everEnded, setEverEnded] = useState(false);
  if (hasEnded && !everEnded) setEverEnded(true);
  if (shown !== undefined) {
    return (
      <SessionProvider value={shown}>
        <RouterProvider router={router} />
        <Suspense>{everEnded && <LoginAgain isOpen={hasEnded} user={shown.user} />}</Suspense>
      </SessionProvider>
    );
  }
  if (session.isError) return <Problem error={session.error} retry={() => void session.refetch()} />;
  const pending = (
    <Center h="100vh">
      <Loader aria-label={t`Loading`} />
    </Center>
  );
  if (session.isPending) return pending;
  return (
    <Suspense fallback={pending}>
      <LoginPage />
    </Suspense>
  );
}
