import { Code, Group } from '@mantine/core';
import { CopyIcon } from './copy-icon.tsx';

interface CopyLineProps {
  readonly value: string;
  /** Name of the text, for the button: `URL`. */
  readonly label: string;
}

/** A text to be taken elsewhere, with a button that copies it. */
export function CopyLine({ value, label }: CopyLineProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block className="copied-text" style={{ flex: 1 }}>
        {value}
      </Code>
      <CopyIcon value={value} label={label} variant="default" size="lg" iconSize={16} />
    </Group>
  );
}
