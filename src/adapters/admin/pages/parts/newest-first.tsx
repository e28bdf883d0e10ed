import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { NEWEST_FIRST, TurnPages } from './turn-pages.tsx';

interface NewestFirstProps {
  /** What the pages are of, for screen readers: `plans`. */
  readonly of: string;
  /** True while the page before still stands there, because this one is on its way. */
  readonly isStale: boolean;
  /** Where this page begins, as the address says; absent: at the newest. */
  readonly before: string | undefined;
  /** Where the next page begins; `null` at the end. */
  readonly next: string | null;
  readonly go: (before: string | undefined, state: (now: object) => object) => void;
  readonly children: ReactNode;
}

/** A page of a list that begins with what is newest, with the ways to newer and older ones where there are some. */
export function NewestFirst({ of, isStale, before, next, go, children }: NewestFirstProps) {
  return (
    <Box aria-busy={isStale} opacity={isStale ? 0.6 : 1}>
      {children}
      {(next !== null || before !== undefined) && (
        <TurnPages of={of} note="" place={before} next={next} words={NEWEST_FIRST} go={go} />
      )}
    </Box>
  );
}
