import {
  IconCalendarTime,
  IconHome,
  IconListDetails,
  IconNotes,
  IconPlayerPlay,
  IconPlugConnected,
  IconServer2,
  IconSitemap,
  IconTool,
  IconUsers,
} from '@tabler/icons-react';

export interface Section {
  readonly to: string;
  readonly label: string;
  readonly icon: typeof IconHome;
  /** Shown to who holds one of these; the service decides again on each call. */
  readonly roles: readonly string[];
}

/** The rooms of the interface, in the order in which the navigation shows them. */
export const SECTIONS: readonly Section[] = [
  { to: '/', label: 'Overview', icon: IconHome, roles: [] },
  { to: '/hosts', label: 'Hosts', icon: IconServer2, roles: ['objects'] },
  { to: '/accounts', label: 'Accounts', icon: IconPlugConnected, roles: ['admin'] },
  { to: '/rules', label: 'Rules', icon: IconListDetails, roles: ['rules'] },
  { to: '/inventory', label: 'Inventory', icon: IconSitemap, roles: ['automation'] },
  { to: '/playbooks', label: 'Playbooks', icon: IconPlayerPlay, roles: ['automation'] },
  { to: '/cron', label: 'Cron groups', icon: IconCalendarTime, roles: ['syncer'] },
  { to: '/logs', label: 'Logs', icon: IconNotes, roles: ['syncer'] },
  { to: '/users', label: 'Users', icon: IconUsers, roles: ['admin'] },
  { to: '/system', label: 'System', icon: IconTool, roles: ['admin'] },
];
