import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

interface SearchText {
  readonly text: string;
  /** Takes input; the search follows a moment after the last key. */
  readonly type: (text: string) => void;
  /** Takes a text and searches for it at once. */
  readonly search: (text: string) => void;
}

/** The text of a search field, which becomes the search of the page: `value` is the current search, from its address. */
export function useSearchText(value: string, onSearch: (text: string) => void): SearchText {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const report = (next: string): void => {
    if (next === reported.current) return;
    reported.current = next;
    onSearch(next);
  };
  const reportSoon = useDebouncedCallback(report, 150);

  // Searches of this field return as value and must not overwrite newer input; those set elsewhere must.
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);

  return {
    text,
    type(next) {
      setText(next);
      reportSoon(next.trim());
    },
    search(next) {
      setText(next);
      report(next.trim());
      // Pending input must not follow this search.
      reportSoon(next.trim());
    },
  };
}
