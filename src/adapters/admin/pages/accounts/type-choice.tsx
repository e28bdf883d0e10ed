import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Radio, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { AccountType } from './option-fields.ts';

/** Purpose of the new account, if the user named one. */
export type Purpose = 'source' | 'receiver';

interface TypeChoiceProps {
  readonly types: readonly AccountType[];
  readonly value: string | null;
  /** Types for another purpose are behind a button. */
  readonly purpose: Purpose | undefined;
  readonly onChange: (type: string) => void;
  /** Called on a choice by pointer, which continues with the type. */
  readonly onPick: () => void;
}

/** Kinds in this order: the most wanted first. */
const KINDS = {
  source: { title: t`Sources`, text: t`hosts come from it` },
  both: { title: t`Sources and targets`, text: t`hosts come from it and are exported to it` },
  target: { title: t`Targets`, text: t`hosts are exported to it` },
  api: { title: t`Interfaces`, text: t`hosts written by hand or over the API` },
  channel: { title: t`Notifications`, text: t`notifications are sent through it` },
  sign_in: { title: t`Logins`, text: t`people log in with it` },
} as const satisfies Record<AccountType['kind'], object>;

/** A mark instead of a logo. */
const MARK = {
  flex: 'none',
  width: 36,
  lineHeight: '36px',
  textAlign: 'center',
  borderRadius: 'var(--mantine-radius-sm)',
  color: 'var(--mantine-primary-color-light-color)',
  background: 'var(--mantine-primary-color-light)',
} as const;

/** Types that most installations begin with, in this order; the others follow by their titles. */
const USUAL = ['csv', 'netbox', 'rest', 'sql', 'json', 'ldap', 'ansible', 'mail', 'webhook', 'oidc'];

const OF_PURPOSE: Readonly<Record<Purpose, ReadonlySet<AccountType['kind']>>> = {
  source: new Set(['source', 'both', 'api']),
  receiver: new Set(['channel']),
};

/**
 * Lists all types by purpose; only the chosen one if the user came for it, or picked it by pointer. Users of the arrow keys need
 * the list.
 */
export function TypeChoice({ types, value, purpose, onChange, onPick }: TypeChoiceProps) {
  const [isFolded, setFolded] = useState(value !== null);
  const [wanted, setWanted] = useState('');
  const [isWhole, setWhole] = useState(false);
  const chosen = types.find(({ id }) => id === value);
  if (isFolded && chosen !== undefined) return <Chosen type={chosen} onOther={() => setFolded(false)} />;
  // A search for a system by its name finds it in any group.
  const wantedKinds = purpose && OF_PURPOSE[purpose];
  const isShort = !isWhole && wanted === '' && (chosen === undefined || wantedKinds?.has(chosen.kind) === true);
  const found = types
    .toSorted(byUse)
    .filter((type) => (!isShort || wantedKinds === undefined || wantedKinds.has(type.kind)) && isFound(type, wanted));
  const groups = Object.entries(KINDS)
    .map(([kind, { title }]) => ({ kind, title, types: found.filter((type) => groupOf(type) === kind) }))
    .filter((group) => group.types.length > 0);
  return (
    <Stack gap="sm">
      <TextInput
        label={t`Find a type`}
        placeholder={t`Name of the system, or what it does`}
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <Radio.Group label={t`Type`} description={t`It cannot be changed later.`} value={value} onChange={onChange}>
        {groups.map(({ kind, title, types: some }) => (
          <section key={kind} aria-label={title}>
            <Title order={2} size="h5" mt="md">
              {title}
            </Title>
            <SimpleGrid
              cols={{ base: 1, sm: 2 }}
              mt="xs"
              spacing="xs"
              onClick={({ detail }) => {
                if (detail === 0) return;
                setFolded(true);
                onPick();
              }}
            >
              {some.map((type) => (
                <TypeCard key={type.id} type={type} />
              ))}
            </SimpleGrid>
          </section>
        ))}
        {groups.length === 0 && (
          <Text size="sm" c="dimmed" mt="md" role="status">
            <Trans>No type has this in its name or description. A REST or SQL source reads most systems.</Trans>
          </Text>
        )}
      </Radio.Group>
      {isShort && purpose !== undefined && (
        <Button style={{ alignSelf: 'start' }} size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
          {purpose === 'source' ? t`Also show targets, notifications and logins` : t`Also show other types`}
        </Button>
      )}
    </Stack>
  );
}

/** Types that provide hosts are in one group, even if they have other purposes. */
function groupOf({ kind }: AccountType): AccountType['kind'] {
  return kind === 'both' ? 'source' : kind;
}

function byUse(a: AccountType, b: AccountType): number {
  const place = ({ id }: AccountType): number => (USUAL.includes(id) ? USUAL.indexOf(id) : USUAL.length);
  return place(a) - place(b) || a.title.localeCompare(b.title);
}

/** Whether a type matches by its name, or by its description or kind. */
function isFound({ id, title, description, kind }: AccountType, wanted: string): boolean {
  const text = `${id} ${title} ${description} ${KINDS[kind].title} ${KINDS[kind].text}`.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function TypeCard({ type: { id, title, description } }: { readonly type: AccountType }) {
  return (
    <Radio.Card value={id} p="sm" display="flex" bg="var(--mantine-color-body)" style={{ alignItems: 'flex-start' }}>
      <Group wrap="nowrap" align="flex-start">
        <Radio.Indicator mt={8} />
        <Text span fw={600} aria-hidden style={MARK}>
          {title.slice(0, 2)}
        </Text>
        <div>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        </div>
      </Group>
    </Radio.Card>
  );
}

function Chosen({ type: { title, kind }, onOther }: { readonly type: AccountType; readonly onOther: () => void }) {
  const kindText = KINDS[kind].text;
  return (
    <Group gap="sm">
      <Text size="sm">
        <Trans>
          Type{' '}
          <Text span inherit fw={600}>
            {title}
          </Text>{' '}
          <Text span inherit c="dimmed">
            {kindText}
          </Text>
        </Trans>
      </Text>
      <Button size="compact-sm" variant="default" onClick={onOther}>
        <Trans>Another type</Trans>
      </Button>
    </Group>
  );
}
