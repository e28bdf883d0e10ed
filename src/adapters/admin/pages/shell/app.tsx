import { t } from '@lingui/core/macro';
import { Center, Loader } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { type Session, SessionProvider, useSessionQuery } from '../calls/session.ts';
import { pageTexts } from '../language/language.ts';
import { Problem } from '../parts/problem.tsx';
import { LoginAgain } from './login-again.tsx';
import { LoginPage } from './login-page.tsx';

// The login page should load fast, and does not need the other pages.
const Pages = lazy(async () => {
  await pageTexts();
  return { default: (await import('../router.tsx')).Pages };
});

/** Shows the login page, or the pages to a logged-in user. They stay, with all input, when the session ends. */
export function App() {
  const session = useSessionQuery();
  const [shown, setShown] = useState<Session>();
  if (session.data && session.data !== shown && (shown === undefined || session.data.user === shown.user)) {
    setShown(session.data);
  }
  const hasEnded = shown !== undefined && session.data === null;
  const [everEnded, setEverEnded] = useState(false);
  if (hasEnded && !everEnded) setEverEnded(true);
  const pending = (
    <Center h="100vh">
      <Loader role="img" aria-label={t`Loading`} />
    </Center>
  );
  if (shown !== undefined) {
    return (
      <SessionProvider value={shown}>
        <Suspense fallback={pending}>
          <Pages />
        </Suspense>
        {everEnded && <LoginAgain isOpen={hasEnded} user={shown.user} />}
      </SessionProvider>
    );
  }
  if (session.isError) return <Problem error={session.error} retry={() => void session.refetch()} />;
  return session.isPending ? pending : <LoginPage />;
}
