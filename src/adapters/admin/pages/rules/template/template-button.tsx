import { t } from '@lingui/core/macro';
import { ActionIcon } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { Path } from '../../forms/document.ts';
import { useMember } from '../../forms/draft.ts';
import { pathWords } from '../../parts/path-words.ts';
import type { RuleTypeInfo } from '../rule-type.ts';
import type { RuleDraft } from '../use-draft.ts';

const TemplateDialog = lazy(() =>
  import('./template-dialog.tsx').then((module) => ({ default: module.TemplateDialog })),
);

interface TemplateButtonProps {
  readonly path: Path;
  readonly type: RuleTypeInfo;
  readonly draft: RuleDraft;
}

/** Opens a field's template next to its result; the editor is loaded then. */
export function TemplateButton({ path, type, draft }: TemplateButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { isReadOnly } = useMember(path);
  if (isReadOnly) return null;
  const place = pathWords(path.join('.'));
  return (
    <>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={t`Template editor for ${place}`}
        title={t`Template editor`}
        onClick={() => setOpen(true)}
      >
        <IconBraces size={14} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <TemplateDialog place={place} path={path} type={type} draft={draft} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
