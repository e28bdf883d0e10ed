import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  ActionIcon,
  AppShell,
  Box,
  Burger,
  Group,
  Menu,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconApi,
  IconBook,
  IconHelp,
  IconLineHeight,
  IconLogout,
  IconMoon,
  IconPuzzle,
  IconSun,
  IconUser,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { below } from '../calls/below.ts';
import { may, useLogout, useSession } from '../calls/session.ts';
import { setPreferences, usePreferences } from '../parts/preferences.ts';
import { PrintedNote } from '../parts/printed-note.tsx';
import { docsAddress } from './docs-address.ts';
import { Finder } from './finder.tsx';
import { Mark } from './mark.tsx';
import { GROUPS } from './navigation.ts';
import { RunningBadge } from './running-badge.tsx';
import { TimeHint } from './time-hint.tsx';

export function Shell() {
  const [isOpen, navigation] = useDisclosure(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();

  // Users of a keyboard or screen reader continue at the new page, not behind the link that led to it.
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the reason
  useEffect(() => {
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [pathname]);

  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        <Trans>Skip to content</Trans>
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm">
            <Burger opened={isOpen} onClick={navigation.toggle} hiddenFrom="sm" size="sm" aria-label={t`Navigation`} />
            <Group gap={8}>
              <Mark />
              <Text fw={700} size="lg">
                Muster
              </Text>
            </Group>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <RunningBadge />
            <Finder />
            <PageHelp />
            <ColourScheme />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t`Sections`} style={{ overflowY: 'auto' }}>
        <Navigation onChoose={navigation.close} pathname={pathname} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
        <PrintedNote />
        <div id="drop-downs" />
      </AppShell.Main>
      <TimeHint />
    </AppShell>
  );
}

function Navigation({ onChoose, pathname }: { readonly onChoose: () => void; readonly pathname: string }) {
  const session = useSession();
  const pages = session.plugin_pages.map(({ plugin, page, title }) => ({
    to: `/plugins/${plugin}/${page}`,
    label: title,
    icon: IconPuzzle,
  }));
  const groups = [
    ...GROUPS.map(({ label, sections }) => ({
      label,
      links: sections.filter(({ operation }) => operation === undefined || may(session, operation)),
    })),
    { label: t`Plugins`, links: pages },
  ];
  return groups
    .filter(({ links }) => links.length > 0)
    .map(({ label: group, links }) => (
      <Box key={group} role="group" aria-label={group} className="nav-group">
        <Text size="xs" c="dimmed" fw={600} aria-hidden>
          {group}
        </Text>
        {links.map(({ to, label, icon: Icon }) => {
          const isHere = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={label}
              leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
              active={isHere}
              aria-current={isHere ? 'page' : undefined}
              onClick={onChoose}
            />
          );
        })}
      </Box>
    ));
}

function ColourScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={isDark ? t`Light colours` : t`Dark colours`}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

const READ_ONLY = `, ${t`read-only`}`;

function accountsText(accounts: readonly string[]): string {
  return t`accounts ${{ names: accounts.join(', ') }}`;
}

/** Opens the help for the page that is shown. */
function PageHelp() {
  const { pathname } = useLocation();
  return (
    <ActionIcon
      component="a"
      variant="subtle"
      color="gray"
      href={below(docsAddress(pathname))}
      target="_blank"
      rel="noreferrer"
      aria-label={t`Help for this page`}
    >
      <IconHelp size={18} aria-hidden />
    </ActionIcon>
  );
}

function UserMenu() {
  const session = useSession();
  const logout = useLogout();
  const { density } = usePreferences();
  return (
    <Menu position="bottom-end" withArrow>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t`User ${{ name: session.user }}`}>
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {session.user}
          {session.read_only ? READ_ONLY : ''}
          {session.accounts === null ? '' : `, ${accountsText(session.accounts)}`}
        </Menu.Label>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} />}>
          <Trans>Your profile</Trans>
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLineHeight size={16} />}
          onClick={() => setPreferences({ density: density === 'compact' ? 'comfortable' : 'compact' })}
        >
          {density === 'compact' ? t`Comfortable rows` : t`Compact rows`}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={below('/docs/')}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconBook size={16} />}
        >
          <Trans>Documentation</Trans>
        </Menu.Item>
        <Menu.Item
          component="a"
          href={below('/docs/openapi')}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconApi size={16} />}
        >
          <Trans>REST reference</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logout.mutate()}>
          <Trans>Log out</Trans>
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Muster {session.version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
