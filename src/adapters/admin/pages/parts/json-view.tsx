import { Code, ScrollArea } from '@mantine/core';

interface JsonViewProps {
  readonly value: unknown;
  readonly label: string;
}

/** Shows a document in its stored form. */
export function JsonView({ value, label }: JsonViewProps) {
  return (
    <ScrollArea.Autosize mah={520} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <Code block className="wrap-anywhere">
        {JSON.stringify(value, null, 2)}
      </Code>
    </ScrollArea.Autosize>
  );
}
