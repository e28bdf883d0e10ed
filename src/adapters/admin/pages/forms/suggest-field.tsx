import { Autocomplete, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Path, textOf } from './document.ts';
import { useMember } from './draft.ts';
import { type Offers, useSuggestions } from './use-suggestions.ts';

const SHOWN = 40;

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

/** A text that names something; what there is to be named is offered while it is typed. */
export function SuggestField({ path, offers, ariaLabel, size = 'xs', ...props }: SuggestFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
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
      limit={SHOWN}
      maxDropdownHeight={260}
      value={textOf(value)}
      error={error}
      readOnly={isReadOnly}
      onFocus={() => setUsed(true)}
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
