import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { JsonObject } from '../../../../ports/index.ts';
import { useAnswer } from '../calls/use-call.ts';
import { Changes } from '../parts/changes.tsx';
import { pathWords } from '../parts/path-words.ts';
import { When } from '../parts/when.tsx';
import { differences, merged } from './merge.ts';

interface ConflictProps {
  readonly type: string;
  readonly id: string;
  /** The version that they saved. */
  readonly version: number | undefined;
  /** The document when it was opened here. */
  readonly base: JsonObject;
  readonly theirs: JsonObject;
  readonly mine: JsonObject;
  /** True just after the user pressed Save. */
  readonly hasFocus: boolean;
  readonly onDiscard: () => void;
  readonly onMerge: (document: JsonObject) => void;
}

/** Another user has saved the rule that is edited here: shows their changes, and the ways to continue. */
export function Conflict({ type, id, version, base, theirs, mine, hasFocus, onDiscard, onMerge }: ConflictProps) {
  const { document, both } = merged(base, theirs, mine);
  const members = both.map(pathWords).join(', ');
  const box = useRef<HTMLDivElement>(null);
  // The user who pressed Save may be far below.
  useEffect(() => {
    if (!hasFocus) return;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'start' });
  }, [hasFocus]);
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      color="yellow"
      icon={<IconAlertTriangle />}
      title={t`Someone else has changed this rule`}
      role="alert"
      style={{ scrollMarginTop: 'calc(var(--app-shell-header-height, 0px) + 1rem)' }}
    >
      <Stack gap="xs">
        <Text size="sm">
          <ByWhom type={type} id={id} version={version} />{' '}
          <Trans>Your changes are not saved and cannot overwrite theirs.</Trans>
        </Text>
        <Changes
          caption={t`Their changes`}
          changes={differences(base, theirs)}
          columns={[t`When you began`, t`Theirs`]}
          place={pathWords}
        />
        <Changes
          caption={t`Your changes`}
          changes={differences(base, mine)}
          columns={[t`When you began`, t`Yours`]}
          place={pathWords}
        />
        <Text size="sm">
          {both.length === 0
            ? t`You have changed different fields: both changes can be kept.`
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

/** Shows the author of the version, if its history is available. */
function ByWhom({ type, id, version }: Pick<ConflictProps, 'type' | 'id' | 'version'>) {
  const history = useAnswer('rules/rule-history', { rule_type: type, rule: id, limit: 5 });
  const theirs = history.data?.versions.find((one) => one.version === version);
  if (theirs === undefined) return null;
  const { by, time } = theirs;
  return (
    <Trans>
      {by} saved it <When at={time} />.
    </Trans>
  );
}
