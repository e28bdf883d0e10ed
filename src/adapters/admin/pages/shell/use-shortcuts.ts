import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { may, useSession } from '../calls/session.ts';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { SECTIONS } from './navigation.ts';

/** Longest pause, in ms, between the keys of `g h`. */
const PAUSE_MS = 1500;

interface Shortcuts {
  readonly openPalette: () => void;
  readonly openHelp: () => void;
}

/**
 * Keys that work on every page, outside of fields: `/`, `?`, `t`, `e` if a page has labels to edit, and `g` before the letter of
 * a room. Ctrl-K works in fields too.
 */
export function useShortcuts({ openPalette, openHelp }: Shortcuts): void {
  const session = useSession();
  const navigate = useNavigate();
  const { shortcuts, times } = usePreferences();
  const wentAt = useRef(0);

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        openPalette();
        return;
      }
      if (shortcuts === 'off' || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isTyping(event.target) || document.querySelector('[role="dialog"]') !== null) return;
      const isSecond = Date.now() - wentAt.current < PAUSE_MS;
      wentAt.current = 0;
      if (isSecond) {
        const section = SECTIONS.find(({ key }) => key === event.key);
        if (section === undefined) return;
        if (section.operation !== undefined && !may(session, section.operation)) return;
        event.preventDefault();
        void navigate({ to: section.to });
      } else if (event.key === 'g') wentAt.current = Date.now();
      else if (event.key === '/') {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (field === null) openPalette();
        else {
          field.focus();
          field.select();
        }
      } else if (event.key === '?') {
        event.preventDefault();
        openHelp();
      } else if (event.key === 'e') {
        const button = document.querySelector<HTMLButtonElement>('main button[aria-keyshortcuts="e"]');
        if (button === null) return;
        event.preventDefault();
        button.click();
      } else if (event.key === 't') setPreferences({ times: times === 'exact' ? 'relative' : 'exact' });
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [openPalette, openHelp, session, navigate, shortcuts, times]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}
