import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Grid, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { has, useSession } from '../../calls/session.ts';
import { type Path, textOf } from '../../forms/document.ts';
import { DraftProvider, useMember } from '../../forms/draft.ts';
import type { RuleTypeInfo } from '../rule-type.ts';
import type { RuleDraft } from '../use-draft.ts';
import { TemplateEditor } from './template-editor.tsx';
import { TemplateResult } from './template-result.tsx';
import { templateWords } from './template-words.ts';

interface TemplateDialogProps {
  /** Name of the field, in words. */
  readonly place: string;
  readonly path: Path;
  readonly type: RuleTypeInfo;
  readonly draft: RuleDraft;
  readonly onClose: () => void;
}

/** Shows a template with colours and suggested names, and next to it the result on a host. Input reaches the form at once. */
export function TemplateDialog({ draft, ...props }: TemplateDialogProps) {
  return (
    <Modal opened onClose={props.onClose} size="70rem" title={t`Template: ${{ place: props.place }}`}>
      <DraftProvider value={draft}>
        <Fields draft={draft} {...props} />
      </DraftProvider>
    </Modal>
  );
}

function Fields({ place, path, type, draft, onClose }: TemplateDialogProps) {
  const { value, error, set } = useMember(path);
  const queries = useQueryClient();
  const session = useSession();
  const text = textOf(value);
  return (
    <Stack gap="sm">
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <TemplateEditor
            value={text}
            onChange={set}
            words={() => templateWords(queries, session)}
            label={t`Template of ${place}`}
          />
          <Text size="xs" c="dimmed" mt={4}>
            <Trans>Ctrl-Space offers attributes, and filters after |. Tab leaves the editor.</Trans>
          </Text>
          {error !== undefined && (
            <Text size="sm" c="red" role="alert">
              {error}
            </Text>
          )}
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          {has(session, 'rules/try-rule') && <TemplateResult type={type} document={draft.document} path={path} />}
        </Grid.Col>
      </Grid>
      <Group justify="flex-end">
        <Button onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
