import { useEffect, useState } from 'react';
import { ago, exactText, zoneName } from '../parts/moments.ts';
import { usePreferences } from '../parts/preferences.ts';

interface Hint {
  readonly at: string;
  readonly left: number;
  readonly top: number;
}

/** Shows the other form of a time on hover or touch. One serves all times of a page. */
export function TimeHint() {
  const [hint, setHint] = useState<Hint>();
  const { times, zone } = usePreferences();

  useEffect(() => {
    let shown: Element | null = null;
    function show(time: Element | null): void {
      shown = time;
      const at = time?.getAttribute('datetime') ?? null;
      if (time === null || at === null) {
        setHint(undefined);
        return;
      }
      const { left, bottom, width } = time.getBoundingClientRect();
      setHint({ at, left: Math.min(left + width / 2, window.innerWidth - 130), top: bottom + 6 });
    }
    function follow({ target }: Event): void {
      show(target instanceof Element ? target.closest('time[datetime]') : null);
    }
    function onKey({ key }: KeyboardEvent): void {
      if (key === 'Escape') show(null);
    }
    function onScroll(): void {
      if (shown !== null) show(shown.matches(':hover') ? shown : null);
    }
    // A finger that touches a time comes as one that points at it.
    document.addEventListener('pointerover', follow);
    document.addEventListener('pointerdown', follow);
    document.addEventListener('keydown', onKey);
    window.addEventListener('scroll', onScroll, true);
    return () => {
      document.removeEventListener('pointerover', follow);
      document.removeEventListener('pointerdown', follow);
      document.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', onScroll, true);
    };
  }, []);

  if (hint === undefined || Number.isNaN(Date.parse(hint.at))) return null;
  return (
    <div role="tooltip" className="time-hint" style={{ left: Math.max(130, hint.left), top: hint.top }}>
      {times === 'exact' ? ago(Date.parse(hint.at), Date.now()) : `${exactText(hint.at, zone)} ${zoneName(zone)}`}
    </div>
  );
}
