import { Text } from '@mantine/core';

/** Shows a text of foreign origin in a cell of a table; it breaks anywhere rather than widening the table. */
export function Breaking({ text }: { readonly text: string }) {
  return (
    <Text span size="sm" className="wrap-anywhere">
      {text}
    </Text>
  );
}
