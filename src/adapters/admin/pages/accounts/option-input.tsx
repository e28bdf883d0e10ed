import { Checkbox, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import type { OptionField } from './option-fields.ts';

interface OptionInputProps {
  readonly field: OptionField;
  /** Empty: not set. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  /** A secret that is stored already; it is never shown. */
  readonly stored: boolean;
}

/** One option, drawn after its kind. What counts when it is left empty stands in it as placeholder. */
export function OptionInput({ field, value, onChange, error, stored }: OptionInputProps) {
  const { name, kind, description, required, fallback } = field;
  const common = { label: name, description, error, name };
  if (kind === 'flag') {
    const isOn = isTrue(value === '' ? fallback : value);
    return (
      <Checkbox
        {...common}
        checked={isOn}
        onChange={({ currentTarget: { checked } }) => onChange(checked === isTrue(fallback) ? '' : String(checked))}
      />
    );
  }
  const placeholder = fallback;
  const text = { ...common, required, placeholder };
  if (kind === 'choice') {
    return (
      <Select
        {...common}
        required={required}
        placeholder={required ? 'Choose one' : ''}
        data={[...field.choices]}
        value={value === '' ? fallback || null : value}
        onChange={(choice) => onChange(choice === null || choice === fallback ? '' : choice)}
        allowDeselect={!required}
      />
    );
  }
  if (kind === 'number') {
    return (
      <NumberInput
        {...text}
        value={value}
        onChange={(number) => onChange(String(number))}
        {...(field.min !== undefined && { min: field.min })}
        {...(field.max !== undefined && { max: field.max })}
        clampBehavior="none"
      />
    );
  }
  const onText = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => onChange(currentTarget.value);
  if (kind === 'secret') {
    return (
      <PasswordInput
        {...text}
        required={required && !stored}
        value={value}
        onChange={onText}
        placeholder={stored ? 'stored; enter a new one to replace it' : ''}
        autoComplete="off"
      />
    );
  }
  return <TextInput {...text} value={value} onChange={onText} />;
}

/** As the service reads flags that come as text. */
function isTrue(text: string): boolean {
  return ['true', '1', 'yes', 'on'].includes(text.toLowerCase());
}
