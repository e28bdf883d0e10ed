import * as z from 'zod';
import { madeOnce } from '../../kit/options/made-once.ts';
import { titled } from '../../kit/options/titled.ts';
import { flag, textList, whole } from '../../kit/options/values.ts';
import { phrase } from '../../kit/worded.ts';

export const mailOptions = madeOnce(() =>
  z.strictObject(
    titled(
      {
        to: textList()
          .pipe(
            z.array(z.string().regex(/^[^\s@]+@[^\s@]+$/, phrase`must be mail addresses`)).min(1, phrase`is required`),
          )
          .describe('Recipients of the mail, comma-separated'),
        from: z
          .string({ error: phrase`is required` })
          .regex(/^[^\s@]+@[^\s@]+$/, phrase`must be a mail address`)
          .describe('Sender of the mail: muster@example.org'),
        subject_prefix: z.string().default('[Muster]').describe('Begins the subject'),
        allow_unencrypted: flag()
          .default(false)
          .describe('Accept a server without TLS; with a user name, its password is sent in clear then'),
        verify_cert: flag().default(true).describe('Check the certificate of the server'),
        timeout: whole(1, 300).default(20).describe('Seconds to wait for the server'),
      },
      {
        Which: { to: 'To', from: 'From', subject_prefix: 'Beginning of the subject' },
        Where: {
          allow_unencrypted: 'Allow no encryption',
          verify_cert: 'Check the certificate',
          timeout: 'Timeout in seconds',
        },
      },
    ),
  ),
);

export type MailOptions = z.output<ReturnType<typeof mailOptions>>;
