import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useSearchText } from './use-search-text.ts';

interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'label'> {
  readonly label: string;
  /** The current search, from the address of the page. */
  readonly value: string;
  /** Called a moment after the last key, or at once by Enter. */
  readonly onSearch: (text: string) => void;
}

/** A field whose text becomes the search of the page. */
export function SearchField({ label, value, onSearch, ...props }: SearchFieldProps) {
  const { text, type, search } = useSearchText(value, onSearch);
  return (
    <search {...(value !== '' && { 'data-printed': `${label}: ${value}` })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
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
                onClick={() => search('')}
              />
            )
          }
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          {...props}
        />
      </form>
    </search>
  );
}

/** Within a sentence English has a small letter for a capital at its beginning; German keeps the capitals of its nouns. */
function withinSentence(label: string): string {
  return i18n.locale === 'en' ? label.toLowerCase() : label;
}
