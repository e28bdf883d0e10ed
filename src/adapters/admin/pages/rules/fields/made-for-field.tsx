import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { textOf } from '../../forms/document.ts';
import { DraftProvider } from '../../forms/draft.ts';
import { SuggestField } from '../../forms/suggest-field.tsx';
import { type AutoruleBody, madeFor, withMadeFor } from './autorule-body.ts';

interface MadeForFieldProps {
  readonly body: AutoruleBody;
  readonly keyedBy: string;
  readonly isReadOnly: boolean;
  readonly onChange: (body: AutoruleBody) => void;
}

/** Selects what gets a rule each, which is part of the rule's name. */
export function MadeForField({ body, keyedBy, isReadOnly, onChange }: MadeForFieldProps) {
  const said = madeFor(textOf(body.document[keyedBy]));
  const [asked, setAsked] = useState<string>();
  const kind = asked ?? said?.kind ?? '';
  const attribute = said?.kind === 'value' ? said.attribute : '';
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? attribute;

  function choose(next: string): void {
    setAsked(next);
    if (next === 'host') onChange(withMadeFor(body, keyedBy, { kind: 'host' }));
    else if (shown !== '') onChange(withMadeFor(body, keyedBy, { kind: 'value', attribute: shown }));
  }

  function chooseAttribute(next: string): void {
    setTyped(next);
    if (next.trim() !== '') onChange(withMadeFor(body, keyedBy, { kind: 'value', attribute: next.trim() }));
  }

  return (
    <Stack gap={6}>
      <Radio.Group size="xs" label={t`Make one rule for each`} value={kind} onChange={choose} readOnly={isReadOnly}>
        <Group gap="lg" mt={4}>
          <Radio size="xs" value="host" label={t`host`} disabled={isReadOnly} />
          <Radio size="xs" value="value" label={t`value of an attribute, such as each site`} disabled={isReadOnly} />
        </Group>
      </Radio.Group>
      {kind === 'value' && (
        <DraftProvider
          value={{
            document: { attribute: shown },
            isReadOnly,
            problem: () => undefined,
            set: (_path, value) => chooseAttribute(textOf(value)),
          }}
        >
          <SuggestField
            path={['attribute']}
            offers="attribute"
            label={t`Attribute`}
            description={t`Offered with the number of hosts that have it. Hosts without it make no rule.`}
          />
        </DraftProvider>
      )}
      <Text size="xs" c="dimmed">
        <Trans>Hosts for which the name comes out the same share one rule: the first of them makes it.</Trans>
      </Text>
    </Stack>
  );
}
