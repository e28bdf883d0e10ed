import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './shell/shell.css';
import './hosts/explain/explain.css';
import './hosts/hosts.css';
import './overview/overview.css';
import './plans/plans.css';
import './rules/rules.css';
import './runs/runs.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';
import { Broken } from './shell/broken.tsx';
import { queryClient } from './shell/query-client.ts';
import { theme } from './shell/theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
const root = document.getElementById('root');

if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queryClient}>
          <CatchBoundary getResetKey={() => 'program'} errorComponent={Broken}>
            <App />
          </CatchBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
