import { t } from '@lingui/core/macro';
import { Code, ScrollArea } from '@mantine/core';
import { useEffect, useRef } from 'react';

/** What a playbook printed; its end is in sight while it grows. */
export function Output({ text, follow }: { readonly text: string; readonly follow: boolean }) {
  const viewport = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the reason
  useEffect(() => {
    if (follow) viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [text, follow]);
  return (
    <ScrollArea.Autosize
      mah={480}
      type="auto"
      viewportRef={viewport}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t`Output` }}
    >
      <Code block>{text}</Code>
    </ScrollArea.Autosize>
  );
}
