import {
  IconActivity,
  IconCalendarTime,
  IconHome,
  IconListCheck,
  IconListDetails,
  IconNotes,
  IconPlayerPlay,
  IconPlugConnected,
  IconServer2,
  IconSitemap,
  IconTool,
  IconUsers,
} from '@tabler/icons-react';
import type { OfferedName } from '../../offered-operations.ts';

export interface Section {
  readonly to: string;
  readonly label: string;
  readonly icon: typeof IconHome;
  /** Shown to who may call this; to everybody when absent. */
  readonly operation?: OfferedName;
}

/** The rooms of the interface, in the order in which the navigation shows them. */
export const SECTIONS: readonly Section[] = [
  { to: '/', label: 'Overview', icon: IconHome },
  { to: '/hosts', label: 'Hosts', icon: IconServer2, operation: 'search/search-hosts' },
  { to: '/accounts', label: 'Accounts', icon: IconPlugConnected, operation: 'accounts/show-accounts' },
  { to: '/runs', label: 'Runs', icon: IconActivity, operation: 'runs/list-runs' },
  { to: '/plans', label: 'Plans', icon: IconListCheck, operation: 'plans/list-plans' },
  { to: '/rules', label: 'Rules', icon: IconListDetails, operation: 'rules/describe-rule-types' },
  { to: '/inventory', label: 'Inventory', icon: IconSitemap, operation: 'inventory/list-providers' },
  { to: '/playbooks', label: 'Playbooks', icon: IconPlayerPlay, operation: 'playbooks/list-playbooks' },
  { to: '/cron', label: 'Cron groups', icon: IconCalendarTime, operation: 'cron/list-groups' },
  { to: '/logs', label: 'Logs', icon: IconNotes, operation: 'syncer/list-logs' },
  { to: '/users', label: 'Users', icon: IconUsers, operation: 'users/list-users' },
  { to: '/system', label: 'System', icon: IconTool, operation: 'system/run-doctor' },
];
