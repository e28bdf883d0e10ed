import type { SendMailOptions } from 'nodemailer';
import type { Notification } from '../../ports/notification-channel.ts';
import type { MailOptions } from './options.ts';

/** Text from data is only used in the subject and in the body; a line break in a subject would start another header. */
export function mailOf({ to, from, subject_prefix: prefix }: MailOptions, notification: Notification): SendMailOptions {
  const { id, event, title, text, at, rule, link, attachment } = notification;
  const host = from.slice(from.indexOf('@') + 1);
  return {
    from,
    to: [...to],
    subject: `${prefix} ${title}`.replace(/[\p{Cc}\s]+/gu, ' ').trim(),
    text: [title, text, `At: ${at}`, `Rule: ${rule}`, link ?? ''].filter((line) => line !== '').join('\n\n'),
    // Servers and readers know a second one by it.
    messageId: `<${id}@${host}>`,
    date: new Date(at),
    ...(attachment !== undefined && {
      attachments: [
        // As a file under a plain name: what a mail program does with text of a report must not depend on data.
        {
          filename: attachment.name,
          contentType: attachment.mediaType,
          content: attachment.text,
          contentDisposition: 'attachment',
        },
      ],
    }),
    headers: { 'X-Muster-Id': id, 'X-Muster-Event': event, 'Auto-Submitted': 'auto-generated' },
  };
}
