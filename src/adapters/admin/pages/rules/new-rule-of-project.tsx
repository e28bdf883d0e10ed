import { Trans } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { MenuLink } from '../parts/links.tsx';
import { hasProject, type RuleTypeInfo } from './rule-type.ts';

interface NewRuleOfProjectProps {
  readonly project: string;
  readonly types: readonly RuleTypeInfo[];
}

/** Begins a rule of one of the types that can belong to a project, with the project filled in. */
export function NewRuleOfProject({ project, types }: NewRuleOfProjectProps) {
  const offered = types.filter((type) => hasProject(type) && type.kept === null && type.refusal === null);
  if (offered.length === 0) return null;
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <Button rightSection={<IconChevronDown size={16} aria-hidden />}>
          <Trans>New rule for this project</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offered.map(({ id, title }) => (
          <MenuLink key={id} to="/rules/$type/new" params={{ type: id }} search={{ project }}>
            {title}
          </MenuLink>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
