import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type Path, textOf } from './document.ts';
import { useMember } from './draft.ts';

interface ExampleButtonProps {
  readonly path: Path;
  readonly example: string;
  /** Name of the field. */
  readonly name: string;
}

/** Puts an example into a field that is empty, to be changed there. */
export function ExampleButton({ path, example, name }: ExampleButtonProps) {
  const { value, isReadOnly, set } = useMember(path);
  if (isReadOnly || textOf(value) !== '') return null;
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      px={0}
      aria-label={t`Begin with an example: ${name}`}
      onClick={() => set(example)}
    >
      <Trans>Begin with an example</Trans>
    </Button>
  );
}
