import { t } from '@lingui/core/macro';
import { ActionIcon, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface CopyLineProps {
  readonly value: string;
  /** What the text is, for the button: `URL`. */
  readonly label: string;
}

/** A text to be taken elsewhere, with a button that copies it. */
export function CopyLine({ value, label }: CopyLineProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Code block className="copied-text" style={{ flex: 1 }}>
        {value}
      </Code>
      <CopyButton value={value} timeout={2000}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={copied ? t`${label} copied` : t`Copy ${label}`}
            onClick={copy}
          >
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        )}
      </CopyButton>
    </Group>
  );
}
