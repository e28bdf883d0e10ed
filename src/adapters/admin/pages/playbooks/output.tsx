import { t } from '@lingui/core/macro';
import { Code, ScrollArea } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { endingOf } from './endings.ts';
import './playbooks.css';

/** The height left in the window below the facts of the run, but never too small to read at ease. */
const HEIGHT = 'max(30rem, calc(100dvh - 21rem))';

/** Shows the output of a playbook; its end stays visible while it grows. */
export function Output({ text, follow }: { readonly text: string; readonly follow: boolean }) {
  const viewport = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the reason
  useEffect(() => {
    if (follow) viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [text, follow]);
  return (
    <ScrollArea.Autosize
      mah={HEIGHT}
      type="auto"
      viewportRef={viewport}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t`Output` }}
    >
      <Code block>{marked(text)}</Code>
    </ScrollArea.Autosize>
  );
}

/** Colours lines about failures, changes and skipped tasks; the text between them stays in one piece. */
function marked(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let plain = '';
  for (const [at, line] of text.split(/(?<=\n)/).entries()) {
    const name = endingOf(line);
    if (name === undefined) {
      plain += line;
      continue;
    }
    parts.push(
      plain,
      <span key={at} className={`output-${name}`}>
        {line}
      </span>,
    );
    plain = '';
  }
  return [...parts, plain];
}
