import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Editor } from '../editor/editor.tsx';
import { hasMasked, MASK } from '../forms/document.ts';
import { FoldButton } from '../parts/fold-button.tsx';
import type { RuleDraft } from './use-draft.ts';

interface DocumentFieldProps {
  readonly draft: RuleDraft;
  /** True if there is also a form, so that the document opens only on request. */
  readonly hasForm?: boolean;
}

/** The whole document, with the members that no field is for. */
export function DocumentField({ draft, hasForm = false }: DocumentFieldProps) {
  const [isAsked, setAsked] = useState(!hasForm);
  // A faulty document is not folded.
  const isOpen = isAsked || draft.textError !== undefined;
  return (
    <Stack gap={4}>
      {hasForm && (
        <div>
          <FoldButton isOpen={isOpen} onToggle={() => setAsked(!isOpen)}>
            <Trans>Document (JSON)</Trans>
          </FoldButton>
        </div>
      )}
      {isOpen && (
        <>
          <Text size="xs" c="dimmed">
            {hasForm
              ? t`The form and this are the same document. Unknown keys are preserved.`
              : t`Unknown keys are preserved.`}
          </Text>
          <Editor
            label={t`Document (JSON)`}
            value={draft.text}
            isReadOnly={draft.isReadOnly}
            onChange={draft.setText}
          />
          {draft.textError !== undefined && (
            <Text size="sm" c="red" role="alert">
              {draft.textError}
            </Text>
          )}
          {hasMasked(draft.document) && (
            <Text size="xs" c="dimmed">
              {t`${{ mask: MASK }} stands for a secret. If you leave it, the stored one is kept.`}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
