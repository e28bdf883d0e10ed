import { t } from '@lingui/core/macro';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { exactText, zoneName } from './moments.ts';
import { usePreferences } from './preferences.ts';

/** Shown on paper only: the time of printing, and the address of the page. */
export function PrintedNote() {
  useLocation();
  const { zone } = usePreferences();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const take = (): void => flushSync(() => setNow(new Date()));
    const media = matchMedia('print');
    addEventListener('beforeprint', take);
    // Print media emulated by developer tools only fire this event.
    media.addEventListener('change', take);
    return () => {
      removeEventListener('beforeprint', take);
      media.removeEventListener('change', take);
    };
  }, []);
  const time = `${exactText(now.toISOString(), zone)} ${zoneName(zone)}`;
  return (
    <footer className="only-printed">
      {t`Printed ${time}`} · {location.href}
    </footer>
  );
}
