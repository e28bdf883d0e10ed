import { valueText } from '../../../kit/words/json.ts';
import type { Column, Print } from '../../kernel/print.ts';

interface Key {
  readonly key: string;
  readonly value?: unknown;
  readonly origin: string;
  readonly description: string;
}

export function configView({ config }: { readonly config: readonly Key[] }, print: Print): Promise<void> {
  return print.table(config, KEY_COLUMNS, 'There are no keys.');
}

export const KEY_COLUMNS: readonly Column<Key>[] = [
  { header: 'key', value: ({ key }) => key, paint: (text, _key, colours) => colours.bold(text) },
  { header: 'value', value: ({ value }) => valueText(value), shrink: true },
  {
    header: 'from',
    value: ({ origin }) => origin,
    paint: (text, { origin }, colours) => (origin === 'default' ? colours.dim(text) : text),
  },
  { header: 'what for', value: ({ description }) => description, shrink: true },
];
