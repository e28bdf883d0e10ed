import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, Modal, Stack, TagsInput } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { Tool } from './tool.tsx';
import { DEFAULT_COLUMNS } from './use-host-columns.ts';

interface ChooseColumnsProps {
  readonly columns: readonly string[];
  readonly choose: (columns: readonly string[]) => void;
  /** Names of labels, the most frequent first. */
  readonly labels: readonly string[];
}

const OWN = ['account', 'type', 'state', 'seen', 'changed', 'created', 'archived', 'template', 'folder', 'labels'];

/** Any field of the search language may be a column. */
export function ChooseColumns({ columns, choose, labels }: ChooseColumnsProps) {
  const [draft, setDraft] = useState<readonly string[]>();
  const close = (): void => setDraft(undefined);
  return (
    <>
      <Tool icon={IconColumns3} label={t`Columns`} onClick={() => setDraft(columns)} />
      <Modal opened={draft !== undefined} onClose={close} title={t`Columns`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            choose(draft ?? []);
            close();
          }}
        >
          <Stack>
            {/* The list of choices opens over the room below the field, not over the buttons. */}
            <Box mih={420}>
              <TagsInput
                label={t`Columns`}
                description={t`Choose, or write any label or place in the inventory, such as facts.os, and press Enter`}
                data={[
                  { group: t`Host`, items: OWN },
                  { group: t`Labels`, items: labels.filter((label) => !OWN.includes(label)) },
                ]}
                value={[...(draft ?? [])]}
                onChange={setDraft}
                clearable
                data-autofocus
              />
            </Box>
            <Group justify="space-between">
              <Button variant="default" onClick={() => setDraft(DEFAULT_COLUMNS)}>
                <Trans>Reset</Trans>
              </Button>
              <Button type="submit">
                <Trans>Show</Trans>
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
