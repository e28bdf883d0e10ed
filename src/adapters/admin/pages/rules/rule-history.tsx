import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { may, useSession } from '../calls/session.ts';
import { useAction, useAnswer } from '../calls/use-call.ts';
import { Answer } from '../parts/answer.tsx';
import { Changes } from '../parts/changes.tsx';
import { confirm } from '../parts/confirm.ts';
import { pathWords } from '../parts/path-words.ts';
import { When } from '../parts/when.tsx';
import { CompareVersions } from './compare-versions.tsx';
import { CHANGED_BY_RULES, type RuleTypeInfo } from './rule-type.ts';

type Version = OfferedOutput<'rules/rule-history'>['versions'][number];

interface RuleHistoryProps {
  readonly type: RuleTypeInfo;
  readonly id: string;
  /** The version that is stored; absent when the rule is removed. */
  readonly current: number | undefined;
}

const STEP = 20;

/** Shows the changes with their authors and times, and a way to revert. */
export function RuleHistory({ type, id, current }: RuleHistoryProps) {
  const [limit, setLimit] = useState(STEP);
  const history = useAnswer('rules/rule-history', { rule_type: type.id, rule: id, limit });
  const revert = useAction('rules/revert-rule', {
    done: ({ version }) => t`Version ${version} is stored again.`,
    changes: CHANGED_BY_RULES,
  });

  function goBack(version: number): void {
    confirm({
      title: t`Go back to version ${version}?`,
      text: t`It is stored again as a new version; later versions stay in the history, so this can be undone the same way.`,
      yes: t`Go back`,
      onYes: () => revert.mutate({ rule_type: type.id, rule: id, version }),
    });
  }

  return (
    <Answer of={history}>
      {({ versions }) => (
        <Stack gap="sm">
          {comparable(versions).length > 1 && (
            <CompareVersions type={type.id} rule={id} versions={comparable(versions)} />
          )}
          {versions.map((version, index) => (
            <VersionCard
              // biome-ignore lint/suspicious/noArrayIndexKey: a rule that came back counts its versions from 1 again
              key={index}
              version={version}
              isCurrent={index === 0 && current !== undefined}
              isUnreachable={isUnreachable(versions, index)}
              mayRevert={type.refusal === null}
              isPending={revert.isPending}
              onRevert={goBack}
            />
          ))}
          {versions.length === limit && (
            <div>
              <Button size="xs" variant="default" loading={history.isFetching} onClick={() => setLimit(limit + STEP)}>
                <Trans>Older versions</Trans>
              </Button>
            </div>
          )}
        </Stack>
      )}
    </Answer>
  );
}

interface VersionCardProps {
  readonly version: Version;
  readonly isCurrent: boolean;
  /** True when a newer one has the same number, which means that one then. */
  readonly isUnreachable: boolean;
  readonly mayRevert: boolean;
  readonly isPending: boolean;
  readonly onRevert: (version: number) => void;
}

function VersionCard({
  version: { version, time, by, change, changes },
  isCurrent,
  isUnreachable,
  mayRevert,
  isPending,
  onRevert,
}: VersionCardProps) {
  const session = useSession();
  return (
    <Paper withBorder p="sm" component="section" aria-label={CARD_LABELS[change](version)}>
      <Group justify="space-between" mb={changes.length > 0 ? 4 : 0}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            <Trans>Version {version}</Trans>
          </Text>
          {isCurrent && (
            <Badge size="sm" variant="light">
              <Trans>stored now</Trans>
            </Badge>
          )}
          <Text size="sm" c="dimmed">
            <WhatHappened change={change} by={by} time={time} />
          </Text>
        </Group>
        {mayRevert && may(session, 'rules/revert-rule') && !isCurrent && !isUnreachable && (
          <Button size="xs" variant="default" disabled={isPending} onClick={() => onRevert(version)}>
            {change === 'removed' ? t`Restore` : t`Go back to this`}
          </Button>
        )}
      </Group>
      {change === 'created' && changes.length > 0 ? (
        <Created version={version} changes={changes} />
      ) : changes.length > 0 ? (
        <Changes caption={t`Changes of version ${version}`} changes={changes} place={pathWords} />
      ) : (
        change === 'replaced' && (
          <Text size="sm" c="dimmed">
            <Trans>No visible value differs from the previous version.</Trans>
          </Text>
        )
      )}
    </Paper>
  );
}

const CARD_LABELS: Readonly<Record<Version['change'], (version: number) => string>> = {
  created: (version) => t`Version ${version}, created`,
  replaced: (version) => t`Version ${version}, changed`,
  removed: (version) => t`Version ${version}, deleted`,
};

function WhatHappened({ change, by, time }: Pick<Version, 'change' | 'by' | 'time'>) {
  switch (change) {
    case 'created':
      return (
        <Trans>
          created by {by} <When at={time} />
        </Trans>
      );
    case 'removed':
      return (
        <Trans>
          deleted by {by} <When at={time} />
        </Trans>
      );
    default:
      return (
        <Trans>
          changed by {by} <When at={time} />
        </Trans>
      );
  }
}

/** Numbers of the versions that have a document and can be named. */
function comparable(versions: readonly Version[]): readonly number[] {
  return versions
    .filter(({ change }, index) => change !== 'removed' && !isUnreachable(versions, index))
    .map(({ version }) => version);
}

/** Whether the rule was deleted and restored since, and has reached the same number again. */
function isUnreachable(versions: readonly Version[], index: number): boolean {
  const { version } = versions[index] as Version;
  const life = versions.slice(0, index).findLastIndex(({ change }) => change === 'created');
  return versions.slice(0, life + 1).some((newer) => newer.version === version);
}

/** Shows the whole document, which is much to read before its changes. */
function Created({ version, changes }: Pick<Version, 'version' | 'changes'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="compact-xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t`Hide the document` : t`Show the document`}
      </Button>
      {isOpen && <Changes caption={t`Document of version ${version}`} changes={changes} place={pathWords} />}
    </>
  );
}
