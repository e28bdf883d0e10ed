import { t } from '@lingui/core/macro';
import { CloseButton, Combobox, Group, Text, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useSearchText } from '../parts/use-search-text.ts';
import { pastedList, wordAt } from './typed-word.ts';
import { useQueryOffers } from './use-query-offers.ts';

interface QueryFieldProps {
  /** The current search, from the address of the page. */
  readonly value: string;
  /** Why that cannot be read. */
  readonly problem: string | undefined;
  /** True while hosts are loading: suggestions, which count all hosts, wait until then. */
  readonly isSearching?: boolean;
  readonly onSearch: (text: string) => void;
  /** Called for each keystroke, for forms that must not act on an outdated search. */
  readonly onType?: (text: string) => void;
}

/** The query of the list of hosts. Fields and values are suggested during typing; errors are shown once typing ends. */
export function QueryField({ value, problem, isSearching = false, onSearch, onType }: QueryFieldProps) {
  const { text, type: typeSlowly, search } = useSearchText(value, onSearch);
  const input = useRef<HTMLInputElement>(null);
  const [isUsed, setUsed] = useState(false);
  const [cursor, setCursor] = useState(0);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const word = wordAt(text, cursor);
  const offers = useQueryOffers(word, isUsed && !isSearching);

  function type(next: string): void {
    typeSlowly(next);
    onType?.(next);
  }

  function pick(offer: string): void {
    if (word === undefined) return;
    const isWhole = !/[:=]$/.test(offer);
    const next = `${text.slice(0, word.from)}${offer}${text.slice(word.to)}`;
    const end = word.from + offer.length;
    if (isWhole) search(next);
    else type(next);
    setCursor(end);
    combobox.resetSelectedOption();
    if (isWhole) combobox.closeDropdown();
    requestAnimationFrame(() => input.current?.setSelectionRange(end, end));
  }

  return (
    <search {...(value !== '' && { 'data-printed': `${t`Search`}: ${value}` })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          combobox.closeDropdown();
          search(text.trim());
        }}
      >
        <Combobox store={combobox} onOptionSubmit={pick} position="bottom-start" width={420}>
          <Combobox.Target>
            <TextInput
              ref={input}
              aria-label={t`Search`}
              placeholder={t`web, 10.3.0.0/16, site:fra cpus>=8, NOT os:debian*`}
              title={t`Words match anywhere in the hostname or a label. label:value, section.path>=8, seen<2d, changed>today, runs_on:esx01, group:web, key:serial=J4711; with AND, OR, NOT, brackets, * for anything and ~ for a pattern`}
              type="search"
              maxLength={10_000}
              spellCheck={false}
              autoComplete="off"
              leftSection={<IconSearch size={16} aria-hidden />}
              rightSection={
                text !== '' && <CloseButton size="sm" aria-label={t`Clear search`} onClick={() => search('')} />
              }
              value={text}
              inputWrapperOrder={['input', 'description', 'error']}
              {...(problem !== undefined && (isUsed ? { description: problem } : { error: problem }))}
              onFocus={() => setUsed(true)}
              onBlur={() => {
                setUsed(false);
                combobox.closeDropdown();
              }}
              onPaste={(event) => {
                const list = pastedList(event.clipboardData.getData('text'));
                if (list === undefined) return;
                event.preventDefault();
                const { selectionStart, selectionEnd } = event.currentTarget;
                search(
                  `${text.slice(0, selectionStart ?? text.length)} ${list} ${text.slice(selectionEnd ?? text.length)}`.trim(),
                );
              }}
              onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart ?? 0)}
              onKeyDown={(event) => {
                if (event.key !== 'Tab' || !combobox.dropdownOpened || combobox.getSelectedOptionIndex() < 0) return;
                event.preventDefault();
                combobox.clickSelectedOption();
              }}
              onChange={({ currentTarget }) => {
                type(currentTarget.value);
                setCursor(currentTarget.selectionStart ?? currentTarget.value.length);
                combobox.openDropdown();
                combobox.resetSelectedOption();
              }}
            />
          </Combobox.Target>
          <Combobox.Dropdown hidden={offers.length === 0}>
            <Combobox.Options aria-label={t`Suggestions`}>
              {offers.map(({ text: offer, note }) => (
                <Combobox.Option key={offer} value={offer}>
                  <Group justify="space-between" wrap="nowrap" gap="sm">
                    <Text size="sm" className="wrap-anywhere">
                      {offer}
                    </Text>
                    <Text size="xs" c="dimmed" flex="none">
                      {note}
                    </Text>
                  </Group>
                </Combobox.Option>
              ))}
            </Combobox.Options>
          </Combobox.Dropdown>
        </Combobox>
      </form>
    </search>
  );
}
