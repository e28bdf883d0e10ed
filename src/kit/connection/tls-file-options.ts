import * as z from 'zod';
import { madeOnce } from '../options/made-once.ts';
import { titled } from '../options/titled.ts';

/** Certificates for connections of any kind. */
export const tlsFileOptions = madeOnce(() =>
  titled(
    {
      ca_cert_chain: z
        .string()
        .optional()
        .describe(
          'File with the certificates of additional trusted authorities (PEM); those of this machine are trusted too',
        )
        .meta({ rare: true }),
      ca_root_cert: z.string().optional().describe('A second file of that kind').meta({ rare: true }),
      client_cert: z
        .string()
        .optional()
        .describe('File with the certificate that this client shows, and its chain (PEM)')
        .meta({ aliases: ['cert'], rare: true }),
      client_key: z
        .string()
        .optional()
        .describe('File with its key (PEM); absent: in the file of the certificate')
        .meta({ rare: true }),
      client_key_passphrase: z.string().optional().describe('The passphrase of that key').meta({ rare: true }),
    },
    {
      Where: {
        ca_cert_chain: 'File with trusted authorities',
        ca_root_cert: 'Second file with trusted authorities',
        client_cert: 'File with the client certificate',
        client_key: 'File with the client key',
        client_key_passphrase: 'Passphrase of the client key',
      },
    },
  ),
);
