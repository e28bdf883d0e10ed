import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, JsonInput, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../calls/call.ts';
import { useAction } from '../calls/use-call.ts';
import { Problem } from '../parts/problem.tsx';
import { HOST_CHANGES, type Host } from './host.ts';
import { sectionOf, sectionProblem } from './section-text.ts';

interface SectionFormProps {
  readonly host: Host;
  /** The section that is changed; empty for a new one. */
  readonly sectionKey: string;
  readonly onEnd: () => void;
}

/** Writes one whole inventory section. */
export function SectionForm({ host: { hostname, inventory }, sectionKey, onEnd }: SectionFormProps) {
  const save = useAction('hosts/save-inventory', {
    done: t`Section saved`,
    changes: HOST_CHANGES,
    showsProblem: true,
  });
  const [problem, setProblem] = useState<Error>();
  const [before] = useState(() => JSON.stringify(inventory[sectionKey]));
  const form = useForm({
    initialValues: { key: sectionKey, text: JSON.stringify(inventory[sectionKey] ?? {}, null, 2) },
    validate: {
      key: (key) => keyProblem(key.trim(), sectionKey === '' ? Object.keys(inventory) : []),
      text: (text) => sectionProblem(text),
    },
  });
  async function submit({ key, text }: typeof form.values): Promise<void> {
    setProblem(undefined);
    try {
      // The whole section is replaced, so changes made by others since it was read would be lost.
      const { inventory: now } = await call('hosts/show-host', { hostname });
      if (JSON.stringify(now[key.trim()]) !== before) {
        throw new Error(t`Someone changed this section meanwhile. Nothing was saved; close this and open it again.`);
      }
      await save.mutateAsync({ hostname, key: key.trim(), inventory: sectionOf(text) });
      onEnd();
    } catch (error) {
      setProblem(error as Error);
    }
  }

  return (
    <Modal
      opened
      onClose={onEnd}
      closeOnClickOutside={!form.isDirty()}
      closeOnEscape={!form.isDirty()}
      title={sectionKey === '' ? t`New inventory section` : t`Inventory section ${sectionKey}`}
      size="lg"
    >
      <form onSubmit={form.onSubmit((values) => void submit(values))}>
        <Stack>
          {problem !== undefined && <Problem error={problem} />}
          {sectionKey === '' && (
            <TextInput
              label={t`Key`}
              description={t`Name of the section, usually that of its source system`}
              required
              data-autofocus
              {...form.getInputProps('key')}
            />
          )}
          <JsonInput
            label={t`Content`}
            description={t`A JSON object. It replaces the whole section.`}
            autosize
            minRows={8}
            maxRows={24}
            required
            spellCheck={false}
            {...(sectionKey === '' ? {} : { 'data-autofocus': true })}
            {...form.getInputProps('text')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onEnd}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={save.isPending}>
              <Trans>Save the section</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function keyProblem(key: string, taken: readonly string[]): string | null {
  if (key === '') return t`Enter a key`;
  if (key.startsWith('$')) return t`A key cannot begin with $`;
  if (key.includes('.')) return t`A key cannot contain a dot`;
  return taken.includes(key) ? t`There is a section with this key; edit that one` : null;
}
