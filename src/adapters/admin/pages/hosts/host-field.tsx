import { t } from '@lingui/core/macro';
import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useAnswer } from '../calls/use-call.ts';

interface HostFieldProps extends Omit<AutocompleteProps, 'data' | 'filter' | 'value' | 'onChange'> {
  readonly value: string;
  readonly onChange: (hostname: string) => void;
  /** A host that is not offered. */
  readonly without?: string;
}

/** A hostname; those that are there are offered while it is typed. */
export function HostField({ value, onChange, without, ...props }: HostFieldProps) {
  const [sought] = useDebouncedValue(value.trim(), 250);
  const found = useAnswer(
    'search/search-hosts',
    { where: JSON.stringify(sought), limit: 10, inventory: false },
    { enabled: sought !== '' },
  );
  const names = found.data?.hosts.map(({ hostname }) => hostname).filter((name) => name !== without) ?? [];
  return (
    <Autocomplete
      placeholder={t`hostname`}
      {...props}
      data={sought === '' ? [] : [...new Set(names)]}
      filter={({ options }) => options}
      value={value}
      onChange={onChange}
    />
  );
}
