import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { CodeEditorProps } from './code-editor.tsx';

const Loaded = lazy(() => import('./code-editor.tsx').then((module) => ({ default: module.CodeEditor })));

/** The editor of texts, which is loaded when first used. */
export function Editor(props: CodeEditorProps) {
  return (
    <Suspense
      fallback={
        <Text size="sm" c="dimmed">
          <Trans>Loading the editor…</Trans>
        </Text>
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}
