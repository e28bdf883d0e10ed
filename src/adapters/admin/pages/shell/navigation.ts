import { t } from '@lingui/core/macro';
import {
  IconActivity,
  IconBell,
  IconCalendarTime,
  IconHistory,
  IconHome,
  IconLayoutDashboard,
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
  /** Goes there after `g`. */
  readonly key: string;
  /** Shown to users who may call this; to all if absent. */
  readonly operation?: OfferedName;
}

/** The rooms of the interface by purpose, in the order in which the navigation shows them. */
export const GROUPS: readonly { readonly label: string; readonly sections: readonly Section[] }[] = [
  {
    label: t`Look`,
    sections: [
      { to: '/', key: 'o', label: t`Overview`, icon: IconHome },
      {
        to: '/dashboards',
        key: 'w',
        label: t`Dashboards`,
        icon: IconLayoutDashboard,
        operation: 'search/list-saved-searches',
      },
      { to: '/hosts', key: 'h', label: t`Hosts`, icon: IconServer2, operation: 'search/search-hosts' },
      { to: '/changes', key: 'd', label: t`Changes`, icon: IconHistory, operation: 'hosts/list-changes' },
    ],
  },
  {
    label: t`Bring in`,
    sections: [
      { to: '/accounts', key: 'a', label: t`Accounts`, icon: IconPlugConnected, operation: 'accounts/show-accounts' },
      { to: '/cron', key: 'c', label: t`Cron groups`, icon: IconCalendarTime, operation: 'cron/list-groups' },
    ],
  },
  {
    label: t`Decide`,
    sections: [
      { to: '/rules', key: 'r', label: t`Rules`, icon: IconListDetails, operation: 'rules/describe-rule-types' },
    ],
  },
  {
    label: t`Give out`,
    sections: [
      { to: '/inventory', key: 'i', label: t`Inventory`, icon: IconSitemap, operation: 'inventory/list-providers' },
      { to: '/plans', key: 'p', label: t`Plans`, icon: IconListCheck, operation: 'plans/list-plans' },
      { to: '/playbooks', key: 'b', label: t`Playbooks`, icon: IconPlayerPlay, operation: 'playbooks/list-playbooks' },
    ],
  },
  {
    label: t`Operate`,
    sections: [
      { to: '/runs', key: 'n', label: t`Runs`, icon: IconActivity, operation: 'runs/list-runs' },
      {
        to: '/notifications',
        key: 'm',
        label: t`Notifications`,
        icon: IconBell,
        operation: 'notifications/list-notifications',
      },
      { to: '/logs', key: 'l', label: t`Logs`, icon: IconNotes, operation: 'syncer/list-logs' },
      { to: '/users', key: 'u', label: t`Users`, icon: IconUsers, operation: 'users/list-users' },
      { to: '/system', key: 's', label: t`System`, icon: IconTool, operation: 'system/run-doctor' },
    ],
  },
];

export const SECTIONS: readonly Section[] = GROUPS.flatMap(({ sections }) => sections);
