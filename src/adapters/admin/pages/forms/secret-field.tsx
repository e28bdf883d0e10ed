import { t } from '@lingui/core/macro';
import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import { isObject, MASK, type Path, textOf, valueAt } from './document.ts';
import { useDraft, useMember } from './draft.ts';

interface SecretFieldProps {
  readonly path: Path;
  readonly label: ReactNode;
  readonly description?: ReactNode;
  readonly required?: boolean;
  readonly size?: 'xs' | 'sm';
}

/** A secret that can be set and never seen: the service shows a mask for the one that is stored. */
export function SecretField({ path, label, description, required = false, size = 'xs' }: SecretFieldProps) {
  const { value, error, isReadOnly, set } = useMember(path);
  const { document } = useDraft();
  // Clearing a typed text leaves the stored secret alone.
  const [emptied] = useState(value === MASK ? MASK : undefined);
  const stored = value === MASK || isStored(document, path);
  return (
    <PasswordInput
      size={size}
      label={label}
      description={description}
      required={required && !stored}
      placeholder={stored ? t`stored; type to replace it` : t`type to set it`}
      autoComplete="new-password"
      value={value === MASK ? '' : textOf(value)}
      error={error}
      readOnly={isReadOnly}
      onChange={(event) => set(event.currentTarget.value || emptied)}
    />
  );
}

/** A clear secret is dropped when it is stored; the value that the service derives from it is another member. */
function isStored(document: JsonObject, path: Path): boolean {
  const parent = valueAt(document, path.slice(0, -1));
  const name = String(path.at(-1));
  return isObject(parent) && (parent[`${name}_crypted`] === MASK || (name === 'password' && parent.pwdhash === MASK));
}
