import { type AuditSink, forwardedText, type KeptAuditEntry } from '../../ports/index.ts';
import { type SyslogMessage, type SyslogTransport, syslogPlace } from './syslog.ts';

/** Facility 13, "log audit". */
const FACILITY = 13;
const NOTICE = 5;
const WARNING = 4;

/** The audit log as messages of syslog. */
export function syslogSink(transport: SyslogTransport, host: string, port: number): AuditSink {
  const place = syslogPlace(transport, host, port);
  return { name: place.name, send: (entries) => place.send(entries.map(syslogMessage)) };
}

function syslogMessage(entry: KeptAuditEntry): SyslogMessage {
  const severity = entry.outcome === 'done' ? NOTICE : WARNING;
  return { facility: FACILITY, severity, at: entry.at, kind: 'audit', text: forwardedText(entry) };
}
