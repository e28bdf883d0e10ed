import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { AppError } from '../../ports/errors.ts';
import { definePlugin } from '../../ports/plugin.ts';
import { syslogLine } from './map.ts';

const noOptions = madeOnce(() => z.strictObject({}));

export default definePlugin({
  id: 'syslog',
  apiVersion: 2,
  description: 'Notifications as lines of syslog',
  register(host) {
    host.notificationChannel({
      id: 'syslog',
      title: 'Syslog',
      description: 'Notifications as JSON lines of syslog (RFC 5424), by UDP, TCP or TLS.',
      fieldTitles: { address: 'Address of the syslog server' },
      neededAddress: 'syslog+tcp://logs.example.org:601',
      unusedFields: ['username', 'password'],
      get options() {
        return noOptions();
      },
      open(_options, { address }, { syslog }) {
        if (!/^syslog(\+(udp|tcp|tls))?:\/\/[^/]/.test(address)) {
          throw new AppError(
            'invalid_input',
            'the address must be syslog://host:port, syslog+tcp://host:port or syslog+tls://host:port',
          );
        }
        return {
          async send(notification, { signal }) {
            signal.throwIfAborted();
            await syslog(syslogLine(address, notification));
          },
        };
      },
    });
  },
});
