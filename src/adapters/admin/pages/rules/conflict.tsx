import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { JsonObject } from '../../../../ports/index.ts';
import { Changes } from '../parts/changes.tsx';
import { pathWords } from '../parts/path-words.ts';
import { differences, merged } from './merge.ts';

interface ConflictProps {
  /** As it was when it was opened here. */
  readonly base: JsonObject;
  readonly theirs: JsonObject;
  readonly mine: JsonObject;
  readonly onDiscard: () => void;
  readonly onMerge: (document: JsonObject) => void;
}

/** Someone else has saved the rule that is edited here: what they changed, and the ways on. */
export function Conflict({ base, theirs, mine, onDiscard, onMerge }: ConflictProps) {
  const { document, both } = merged(base, theirs, mine);
  const members = both.join(', ');
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={t`Someone else has changed this rule`} role="alert">
      <Stack gap="xs">
        <Text size="sm">
          <Trans>Your changes are not saved and cannot overwrite theirs.</Trans>
        </Text>
        <Changes
          caption={t`What they changed`}
          changes={differences(base, theirs)}
          columns={[t`When you began`, t`Theirs`]}
          place={pathWords}
        />
        <Changes
          caption={t`What you changed`}
          changes={differences(base, mine)}
          columns={[t`When you began`, t`Yours`]}
          place={pathWords}
        />
        <Text size="sm">
          {both.length === 0
            ? t`You have changed different things: both can stand together.`
            : t`Both of you have changed ${members}: yours would take the place of theirs there.`}
        </Text>
        <Group gap="xs">
          <Button size="xs" onClick={() => onMerge(document)}>
            <Trans>Put mine on top of theirs</Trans>
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            <Trans>Discard mine and show theirs</Trans>
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
