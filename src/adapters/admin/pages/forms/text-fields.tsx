import { NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { flagOf, type Path, textOf } from './document.ts';
import { useMember } from './draft.ts';
import { useFieldTool } from './field-tool.ts';

interface FieldProps {
  readonly path: Path;
  readonly label?: ReactNode;
  /** Instead of a label that is seen. */
  readonly ariaLabel?: string;
  readonly description?: ReactNode;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly size?: 'xs' | 'sm';
}

/** A text of one line. */
export function TextField({ path, ariaLabel, ...props }: FieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  return (
    <TextInput
      size="xs"
      aria-label={ariaLabel}
      {...props}
      value={textOf(value)}
      error={error}
      readOnly={isReadOnly}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

/** A text that may be a template, or have several lines. */
export function MonoField(props: FieldProps) {
  const tool = useFieldTool(props.path);
  return <LinesField {...props} mono {...(tool !== undefined && { rightSection: tool })} />;
}

/** A text for people, of several lines. */
export function ParagraphField(props: FieldProps) {
  return <LinesField {...props} />;
}

const MONO = {
  spellCheck: false,
  styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } },
} as const;

interface LinesFieldProps extends FieldProps {
  readonly mono?: boolean;
  readonly rightSection?: ReactNode;
}

function LinesField({ path, ariaLabel, mono = false, ...props }: LinesFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  return (
    <Textarea
      size="xs"
      aria-label={ariaLabel}
      {...props}
      {...(mono ? MONO : {})}
      autosize
      minRows={1}
      maxRows={12}
      value={textOf(value)}
      error={error}
      readOnly={isReadOnly}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

interface NumberFieldProps extends FieldProps {
  readonly isWhole?: boolean;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A number; an empty field removes the member. A number out of range stays, so that the service reports the error. */
export function NumberField({ path, ariaLabel, isWhole = true, min, max, ...props }: NumberFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  return (
    <NumberInput
      size="xs"
      aria-label={ariaLabel}
      {...props}
      allowDecimal={!isWhole}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      clampBehavior="none"
      value={textOf(value)}
      error={error}
      readOnly={isReadOnly}
      onChange={(next) => set(next === '' ? undefined : typeof next === 'number' ? next : String(next))}
    />
  );
}

interface FlagFieldProps extends FieldProps {
  /** Text that applies by default. */
  readonly fallback?: string;
}

/** A flag. */
export function FlagField({ path, label, description, fallback = '' }: FlagFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  return (
    <Switch
      size="sm"
      label={label}
      description={description}
      checked={flagOf(textOf(value) === '' ? fallback : value)}
      error={error}
      disabled={isReadOnly}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}
