import { t } from '@lingui/core/macro';
import { Loader, Menu, Text } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { OfferedOutput } from '../../offered-operations.ts';
import { useAnswer } from '../calls/use-call.ts';
import { MenuLink } from './links.tsx';
import { Words } from './words.tsx';

type RuleType = OfferedOutput<'rules/describe-rule-types'>['types'][number];

interface NewRuleMenuProps {
  /** The button that opens it. */
  readonly children: ReactNode;
  /** Selects among the types that the user may write. */
  readonly offers: (type: RuleType) => boolean;
  /** Initial values of the form. */
  readonly search?: Readonly<Record<string, string | undefined>>;
}

/** Starts a rule of a type chosen by its effect. */
export function NewRuleMenu({ children, offers, search = {} }: NewRuleMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const types = useAnswer('rules/describe-rule-types', {}, { enabled: isOpen }).data?.types;
  const offered = types?.filter((type) => type.kept === null && type.refusal === null && offers(type)) ?? [];
  const titles = [...new Set(offered.map(titleOf))];
  const byTitle = offered.toSorted((a, b) => a.title.localeCompare(b.title));
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" withArrow width={340}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown mah="min(30rem, 70vh)" style={{ overflowY: 'auto' }}>
        {types === undefined && (
          <Menu.Item disabled aria-label={t`Loading`}>
            <Loader size="xs" />
          </Menu.Item>
        )}
        {titles.map((title) => (
          <Fragment key={title}>
            <Menu.Label>{title}</Menu.Label>
            {byTitle
              .filter((type) => titleOf(type) === title)
              .map(({ id, title: name, description }) => (
                <MenuLink key={id} to="/rules/$type/new" params={{ type: id }} search={search}>
                  {name}
                  <Text size="xs" c="dimmed" lineClamp={2}>
                    <Words>{description}</Words>
                  </Text>
                </MenuLink>
              ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function titleOf({ group }: RuleType): string {
  return group?.title ?? t`From other plugins`;
}
