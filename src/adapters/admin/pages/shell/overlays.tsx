import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { closeReportedBefore } from '../parts/report-with-undo.tsx';

/** Questions and messages over the pages. They contain links to pages, so they have to be inside of the router. */
export function Overlays({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each page
  useEffect(closeReportedBefore, [pathname]);
  return (
    <ModalsProvider modalProps={{ centered: true }}>
      <Notifications position="bottom-right" />
      {children}
    </ModalsProvider>
  );
}
