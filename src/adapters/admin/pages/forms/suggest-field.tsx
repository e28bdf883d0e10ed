import { Autocomplete, Group, type OptionsFilter, Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { type Path, textOf } from './document.ts';
import { useMember } from './draft.ts';
import { type Offers, useSuggestions } from './use-suggestions.ts';

const SHOWN = 40;
/** The greatest height of the list in pixels. */
const LIST_HEIGHT = 220;

interface SuggestFieldProps {
  readonly path: Path;
  readonly offers: Offers;
  readonly label?: ReactNode;
  /** Instead of a label that is seen. */
  readonly ariaLabel?: string;
  readonly description?: ReactNode;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly size?: 'xs' | 'sm';
}

/** A text that contains a name; known names are suggested during typing. */
export function SuggestField({ path, offers, ariaLabel, size = 'xs', ...props }: SuggestFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  const field = useRef<HTMLInputElement>(null);
  const [isUsed, setUsed] = useState(false);
  const suggestions = useSuggestions(offers, isUsed && !isReadOnly);
  const notes = new Map(suggestions.map((suggestion) => [suggestion.value, suggestion.note]));
  return (
    <Autocomplete
      {...props}
      size={size}
      aria-label={ariaLabel}
      spellCheck={false}
      data={[...notes.keys()]}
      {...(NAMED.has(offers) && { filter: byValueOrNote(notes) })}
      limit={SHOWN}
      value={textOf(value)}
      error={error}
      readOnly={isReadOnly}
      ref={field}
      onFocus={() => setUsed(true)}
      onDropdownOpen={() => makeRoom(field.current)}
      // The text above explains the purpose of the field, and how many hosts the rule hits.
      comboboxProps={{ position: 'bottom', middlewares: { flip: false, shift: true } }}
      onChange={set}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="sm" w="100%">
          <Text size="xs" className="wrap-anywhere">
            {option.value}
          </Text>
          <Text size="xs" c="dimmed" flex="none">
            {notes.get(option.value)}
          </Text>
        </Group>
      )}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}

/** Kinds that have names in addition to their keys. */
const NAMED: ReadonlySet<Offers> = new Set<Offers>(['playbook', 'rule_type']);

function byValueOrNote(notes: ReadonlyMap<string, string>): OptionsFilter {
  return ({ options, search, limit }) => {
    const wanted = search.trim().toLowerCase();
    const has = (text = ''): boolean => text.toLowerCase().includes(wanted);
    return options
      .filter((option) => 'value' in option && (has(option.value) || has(notes.get(option.value))))
      .slice(0, limit);
  };
}

/** The list opens below its field, also of one at the lower edge of the window. */
function makeRoom(field: HTMLInputElement | null): void {
  if (field !== null && window.innerHeight - field.getBoundingClientRect().bottom < LIST_HEIGHT) {
    field.scrollIntoView({ block: 'center' });
  }
}
