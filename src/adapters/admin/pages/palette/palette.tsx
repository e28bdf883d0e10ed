import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Kbd, Loader, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { type Found, GROUPS } from './found.ts';
import './palette.css';
import { useFound } from './use-found.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly openHelp: () => void;
  /** Returns text typed before the field was there; once. */
  readonly takeTyped: () => string;
}

/** A field that finds everything. The arrow keys move through the results while the focus stays in the field. */
export function Palette({ onClose, openHelp, takeTyped }: PaletteProps) {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed.trim(), 180);
  const [place, setPlace] = useState(0);
  const [isWanted, setWanted] = useState(false);
  const { lines, isLooking } = useFound(asked, openHelp);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = lines.length === 0 ? undefined : Math.min(place, lines.length - 1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins at its first answer
  useEffect(() => setPlace(0), [asked]);
  useEffect(() => {
    if (active !== undefined)
      list.current?.querySelectorAll('[role="option"]')[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  // Pressing Enter early chooses from the results for the whole text.
  const isReady = !isLooking && asked === typed.trim();
  useEffect(() => {
    if (!isWanted || !isReady) return;
    setWanted(false);
    const line = active === undefined ? undefined : lines[active];
    if (line !== undefined) choose(line);
  });

  function choose(line: Found): void {
    onClose();
    line.choose();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const count = lines.length;
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') setWanted(true);
    else if (active === undefined) return;
    else if (event.key === 'ArrowDown') setPlace((active + 1) % count);
    else if (event.key === 'ArrowUp') setPlace((active + count - 1) % count);
    else return;
    event.preventDefault();
  }

  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10vh" lockScroll={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t`Go to or do`}>
        <Modal.Body p={0}>
          <TextInput
            className="palette-field"
            variant="unstyled"
            size="md"
            px="md"
            data-autofocus
            onFocus={() => {
              const early = takeTyped();
              if (early !== '') setTyped((now) => now + early);
            }}
            leftSection={<IconSearch size={18} aria-hidden />}
            rightSection={isLooking && <Loader size={16} aria-hidden />}
            placeholder={t`Host, rule, account, page or action`}
            aria-label={t`Go to or do`}
            role="combobox"
            aria-expanded={lines.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            {...(active !== undefined && { 'aria-activedescendant': `${id}-${active}` })}
            autoComplete="off"
            maxLength={200}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setWanted(false);
            }}
            onKeyDown={onKeyDown}
          />
          <div
            ref={list}
            id={`${id}-list`}
            role="listbox"
            aria-label={t`Search results`}
            tabIndex={-1}
            className="palette-list"
          >
            {lines.map((line, index) => (
              <Fragment key={line.key}>
                {line.group !== lines[index - 1]?.group && (
                  <div role="presentation" className="palette-group">
                    {GROUPS[line.group]}
                  </div>
                )}
                {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys */}
                {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field */}
                <div
                  role="option"
                  id={`${id}-${index}`}
                  aria-selected={index === active}
                  className="palette-line"
                  onPointerMove={() => setPlace(index)}
                  onClick={() => choose(line)}
                >
                  <span className="wrap-anywhere">{line.label}</span>
                  {line.note !== undefined && (
                    <Text span size="xs" c="dimmed">
                      {line.note}
                    </Text>
                  )}
                </div>
              </Fragment>
            ))}
          </div>
          <VisuallyHidden role="status">{isLooking ? '' : t`${{ count: lines.length }} found`}</VisuallyHidden>
          {lines.length === 0 && (
            <Text size="sm" c="dimmed" p="md">
              {isLooking ? t`Looking…` : t`Nothing is called "${{ text: typed.trim() }}".`}
            </Text>
          )}
          <Group gap="md" px="md" py="xs" className="palette-keys" visibleFrom="sm" aria-hidden>
            <Text size="xs" c="dimmed">
              <Trans>
                <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose
              </Trans>
            </Text>
            <Text size="xs" c="dimmed">
              <Trans>
                <Kbd size="xs">Enter</Kbd> open
              </Trans>
            </Text>
            <Text size="xs" c="dimmed">
              <Trans>
                <Kbd size="xs">Esc</Kbd> close
              </Trans>
            </Text>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
