import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useSession } from '../calls/session.ts';

const route = getRouteApi('/hosts');

/** Columns shown next to the hostname by default. */
export const DEFAULT_COLUMNS: readonly string[] = ['account', 'seen', 'labels'];
const DEFAULT_TEXT = DEFAULT_COLUMNS.join(',');

/** The chosen columns: those of the address, else those that the person chose last in this browser. */
export function useHostColumns(): {
  readonly columns: readonly string[];
  /** True until the user chooses columns. */
  readonly isDefault: boolean;
  readonly choose: (columns: readonly string[]) => void;
} {
  const { columns: written } = route.useSearch();
  const navigate = route.useNavigate();
  const key = `muster.hosts.columns:${useSession().user}`;
  const remembered = written ?? localStorage.getItem(key) ?? DEFAULT_TEXT;

  function write(text: string): void {
    const columns = text === DEFAULT_TEXT ? undefined : text;
    void navigate({ search: (now) => ({ ...now, columns }), replace: true, resetScroll: false });
  }

  // Anyone who opens the address sees the same columns.
  useEffect(() => {
    if (written === undefined && remembered !== DEFAULT_TEXT) write(remembered);
  });

  return {
    isDefault: remembered === DEFAULT_TEXT,
    columns: useMemo(() => remembered.split(',').filter((field) => field !== '' && field !== 'name'), [remembered]),
    choose(columns) {
      const text = columns.join(',') || DEFAULT_TEXT;
      localStorage.setItem(key, text);
      write(text);
    },
  };
}
