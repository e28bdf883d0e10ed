import type { Notification, SyslogLine } from '../../ports/notification-channel.ts';

export function syslogLine(address: string, notification: Notification): SyslogLine {
  return { address, severity: severityOf(notification), text: JSON.stringify(notification) };
}

function severityOf({ event }: Notification): SyslogLine['severity'] {
  if (event === 'approval_waiting' || event === 'report' || event === 'test') return 'notice';
  return event === 'run_failed' || event === 'group_failed' || event === 'rule_failing' ? 'error' : 'warning';
}
