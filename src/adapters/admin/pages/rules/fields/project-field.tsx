import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { referenceOf } from '../../forms/document.ts';
import { useMember } from '../../forms/draft.ts';
import { MemberLabel } from '../../forms/member-label.tsx';
import { useProjects } from '../projects.ts';

/** The project that a rule belongs to. One named by its id stays so until another one is chosen. */
export function ProjectField({ description }: { readonly description: ReactNode }) {
  const { value, error, isReadOnly, set } = useMember(['project']);
  const projects = useProjects();
  const reference = referenceOf(value);
  const current = projects.find(({ id }) => id === reference)?.name ?? (reference === 'Default' ? '' : reference);
  const names = projects.map(({ name }) => name);
  const isMissing = current !== '' && !names.includes(current);
  return (
    <NativeSelect
      size="xs"
      label={<MemberLabel title={t`Project`} name="project" />}
      description={description}
      data={[
        { value: '', label: t`none: the provider automation` },
        ...(isMissing ? [{ value: current, label: t`${current} (does not exist)` }] : []),
        ...projects.map(({ name, enabled }) => ({ value: name, label: enabled ? name : t`${name} (disabled)` })),
      ]}
      value={current}
      error={error}
      disabled={isReadOnly}
      onChange={(event) => set(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
    />
  );
}
