import { resolve } from 'node:path';
import { AppError, type AuditSink } from '../../ports/index.ts';
import { fileSink } from './file-sink.ts';
import { httpSink } from './http-sink.ts';
import { syslogSink } from './syslog-sink.ts';

/** The place that an address of AUDIT_FORWARD names. */
export function openSink(address: string, options: { readonly directory: string; readonly token: string }): AuditSink {
  if (address.startsWith('file:')) return fileSink(resolve(options.directory, address.slice('file:'.length)));
  const url = URL.canParse(address) ? new URL(address) : undefined;
  switch (url?.protocol) {
    case 'http:':
    case 'https:':
      return httpSink(url, options.token);
    case 'syslog:':
    case 'syslog+udp:':
      return syslogSink('udp', hostOf(url), Number(url.port));
    case 'syslog+tcp:':
      return syslogSink('tcp', hostOf(url), Number(url.port));
    case 'syslog+tls:':
      return syslogSink('tls', hostOf(url), Number(url.port));
    default:
      throw new AppError(
        'invalid_input',
        'AUDIT_FORWARD names an address that cannot be used; use file:<path>, syslog://, syslog+tcp://, syslog+tls:// or https://',
      );
  }
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
