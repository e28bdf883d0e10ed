import { Text, Textarea } from '@mantine/core';
import { hasMasked, MASK } from '../forms/document.ts';
import type { RuleDraft } from './use-draft.ts';

interface DocumentFieldProps {
  readonly draft: RuleDraft;
  /** Whether a form stands beside it. */
  readonly hasForm?: boolean;
}

/** The whole document, with the members that no field is for. */
export function DocumentField({ draft, hasForm = false }: DocumentFieldProps) {
  return (
    <div>
      <Textarea
        label="Document (JSON)"
        description={`${hasForm ? 'The form and this are the same document. ' : ''}Members that Muster does not know are kept.`}
        autosize
        minRows={14}
        maxRows={30}
        spellCheck={false}
        styles={{
          input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' },
        }}
        value={draft.text}
        error={draft.textError}
        readOnly={draft.isReadOnly}
        onChange={(event) => draft.setText(event.currentTarget.value)}
      />
      {hasMasked(draft.document) && (
        <Text size="xs" c="dimmed" mt={4}>
          {MASK} stands for a secret. If you leave it, the stored one is kept.
        </Text>
      )}
    </div>
  );
}
