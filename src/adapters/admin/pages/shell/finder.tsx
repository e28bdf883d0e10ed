import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Kbd, Text, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { showProblem } from '../calls/use-call.ts';
import { collectKeys } from '../palette/early-keys.ts';
import { PageNotLoaded } from '../parts/lazy-page.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const ShortcutsHelp = lazy(async () => ({ default: (await import('../palette/shortcuts-help.tsx')).ShortcutsHelp }));

/** The button that opens the palette, and the keys. Both are loaded when first needed. */
export function Finder() {
  const [open, setOpen] = useState<'palette' | 'help'>();
  const typed = useRef<() => string>(undefined);
  const takeTyped = useCallback(() => {
    const text = typed.current?.() ?? '';
    typed.current = undefined;
    return text;
  }, []);
  // A part that cannot be loaded must not take the page along.
  const openPalette = useCallback(() => {
    // Its field takes a moment to load, and users type at once.
    typed.current ??= collectKeys();
    import('../palette/palette.tsx').then(
      () => setOpen('palette'),
      (error: unknown) => {
        takeTyped();
        showProblem(new PageNotLoaded(error));
      },
    );
  }, [takeTyped]);
  const openHelp = useCallback(() => {
    import('../palette/shortcuts-help.tsx').then(
      () => setOpen('help'),
      (error: unknown) => showProblem(new PageNotLoaded(error)),
    );
  }, []);
  const close = useCallback(() => {
    takeTyped();
    setOpen(undefined);
  }, [takeTyped]);
  useShortcuts({ openPalette, openHelp });
  return (
    <>
      <UnstyledButton className="finder" visibleFrom="sm" onClick={openPalette} aria-keyshortcuts="Control+K">
        <IconSearch size={16} aria-hidden />
        <Text span size="sm">
          <Trans>Find anything</Trans>
        </Text>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" aria-label={t`Find anything`} onClick={openPalette}>
        <IconSearch size={18} />
      </ActionIcon>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} openHelp={openHelp} takeTyped={takeTyped} />}
        {open === 'help' && <ShortcutsHelp onClose={close} />}
      </Suspense>
    </>
  );
}
