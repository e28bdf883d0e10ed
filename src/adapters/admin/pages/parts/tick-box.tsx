import { Checkbox, type CheckboxProps } from '@mantine/core';
import { useId } from '@mantine/hooks';

interface TickBoxProps extends Omit<CheckboxProps, 'id' | 'label' | 'description' | 'aria-label'> {
  readonly label: string;
  readonly description: string;
}

/** A box with an explanation below its label, which ticks it as the label does. */
export function TickBox({ label, description, ...box }: TickBoxProps) {
  const id = useId();
  return (
    <Checkbox
      {...box}
      id={id}
      label={label}
      // The explanation is not part of its name.
      aria-label={label}
      description={
        <label htmlFor={id} style={{ cursor: 'inherit' }}>
          {description}
        </label>
      }
    />
  );
}
