import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Questions and messages over the pages. They hold links to pages, so they stand inside of the router. */
export function Overlays({ children }: { readonly children: ReactNode }) {
  return (
    <ModalsProvider modalProps={{ centered: true }}>
      <Notifications position="bottom-right" />
      {children}
    </ModalsProvider>
  );
}
