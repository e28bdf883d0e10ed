import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'label'> {
  readonly label: string;
  /** What is searched now, from the address of the page. */
  readonly value: string;
  /** Told a moment after the last key, or at once by Enter. */
  readonly onSearch: (text: string) => void;
}

/** A field whose text becomes the search of the page. */
export function SearchField({ label, value, onSearch, ...props }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const tell = (next: string): void => {
    if (next === told.current) return;
    told.current = next;
    onSearch(next);
  };
  const tellSoon = useDebouncedCallback(tell, 350);

  // What this field told comes back as value and must not overwrite what was typed since; what others set must.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
  }, [value]);

  return (
    <search {...(value !== '' && { 'data-printed': `${label}: ${value}` })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          tell(text.trim());
        }}
      >
        <TextInput
          label={label}
          type="search"
          maxLength={1000}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            text !== '' && (
              <CloseButton
                size="sm"
                aria-label={t`Clear ${{ field: withinSentence(label) }}`}
                onClick={() => {
                  setText('');
                  tell('');
                }}
              />
            )
          }
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            tellSoon(event.currentTarget.value.trim());
          }}
          {...props}
        />
      </form>
    </search>
  );
}

/** English writes small within a sentence what begins one with a capital; German keeps the capitals of its nouns. */
function withinSentence(label: string): string {
  return i18n.locale === 'en' ? label.toLowerCase() : label;
}
