import './shell/mantine.css';
import '@mantine/notifications/styles.css';
import './shell/shell.css';
import './hosts/explain/explain.css';
import './hosts/hosts.css';
import './overview/overview.css';
import './plans/plans.css';
import './rules/rules.css';
import './runs/runs.css';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { i18n } from './language/language.ts';
import { App } from './shell/app.tsx';
import { Broken } from './shell/broken.tsx';
import { printInLightColours } from './shell/print-colours.ts';
import { queryClient } from './shell/query-client.ts';
import { theme } from './shell/theme.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
const root = document.getElementById('root');

printInLightColours();
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
        <QueryClientProvider client={queryClient}>
          <I18nProvider i18n={i18n}>
            <CatchBoundary getResetKey={() => 'program'} errorComponent={Broken}>
              <App />
            </CatchBoundary>
          </I18nProvider>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
