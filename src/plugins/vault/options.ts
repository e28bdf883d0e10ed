import * as z from 'zod';
import { whole } from '../../kit/options/values.ts';

/** The settings of the plugin: `PLUGIN_OPTIONS.vault`. */
export const vaultOptions = z.strictObject({
  address: z.string().default('').describe('Address of Vault or OpenBao: https://vault.example.org:8200'),
  namespace: z.string().default('').describe('Namespace of every request, where the server has some'),
  auth: z
    .enum(['token', 'approle', 'kubernetes'])
    .default('token')
    .describe('How to log in: with a token, as an AppRole, or with the service account of a pod'),
  token: z.string().default('').describe('auth token: the token').meta({ secret: true }),
  token_file: z.string().default('').describe('auth token: a file with it, read again for each login'),
  role_id: z.string().default('').describe('auth approle: the id of the role'),
  secret_id: z.string().default('').describe('auth approle: its secret').meta({ secret: true }),
  secret_id_file: z.string().default('').describe('auth approle: a file with that secret'),
  role: z.string().default('').describe('auth kubernetes: the role to log in as'),
  jwt_file: z
    .string()
    .default('/var/run/secrets/kubernetes.io/serviceaccount/token')
    .describe('auth kubernetes: the file with the token of the pod'),
  mount: z.string().default('').describe('Mount path of the login; default approle or kubernetes'),
  ca_file: z
    .string()
    .default('')
    .describe('A file with certificates of additional trusted authorities (PEM); those of the machine are trusted too'),
  timeout_seconds: whole(1, 300).default(10).describe('How long to wait for an answer'),
});

export type VaultOptions = z.output<typeof vaultOptions>;
