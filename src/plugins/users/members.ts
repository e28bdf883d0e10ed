import type { RuleMember, RuleMembers } from '../../ports/rule-member.ts';

const role: RuleMember = { kind: 'text', required: true, description: 'One role.' };

const template: RuleMember = { kind: 'reference', required: true, description: 'Hostname or id of a template.' };

const account: RuleMember = { kind: 'reference', required: true, description: 'Name or id of an account.' };

export const members: RuleMembers = {
  email: { kind: 'text', description: 'Address of the user.' },
  password: {
    kind: 'text',
    secret: true,
    description: 'The password in clear text; it is stored as a hash and dropped.',
  },
  pwdhash: { kind: 'text', secret: true, description: 'Hash of the password.' },
  tfa_secret: {
    kind: 'text',
    secret: true,
    description: 'Secret of the second factor in clear text; it is stored encrypted.',
  },
  tfa_secret_crypted: { kind: 'text', secret: true, description: 'The secret of the second factor, encrypted.' },
  recovery_codes: {
    kind: 'list',
    description: 'Codes for users who have lost the second factor, as hashes. Each works once.',
    items: {
      kind: 'object',
      description: 'One code.',
      members: { hash: { kind: 'text', secret: true, required: true, description: 'SHA-256 of the code.' } },
    },
  },
  passkeys: {
    kind: 'list',
    description: 'Passkeys, which open the pages without a password.',
    items: {
      kind: 'object',
      description: 'One passkey.',
      members: {
        id: { kind: 'text', required: true, description: 'Its credential ID, base64url.' },
        public_key: { kind: 'text', required: true, description: 'Its public key as COSE, base64url.' },
        counter: { kind: 'integer', description: 'How often it was used, where the device counts.' },
        label: { kind: 'text', description: 'Its name.' },
        transports: {
          kind: 'list',
          description: 'How browsers reach the device.',
          items: { kind: 'text', required: true, description: 'One way.' },
        },
        created: { kind: 'date', description: 'When it was added.' },
      },
    },
  },
  api_roles: {
    kind: 'list',
    description:
      'Rights of the user over the interfaces: `all`, `objects`, `rules`, `syncer`, `automation`, `mcp`, `metrics`.',
    items: role,
  },
  roles: {
    kind: 'list',
    description: 'Roles in the admin interface.',
    items: role,
  },
  global_admin: { kind: 'flag', description: 'True lets the user do everything.' },
  readonly: { kind: 'flag', description: 'True lets the user read only.' },
  restrict_to_accounts: {
    kind: 'list',
    description: 'Accounts whose hosts the user reaches; empty for all.',
    items: account,
  },
  restrict_to_templates: {
    kind: 'list',
    description:
      'Templates: the user reaches hosts that name one of them in `cmdb_templates` and no others; empty for all hosts. With accounts too, both must hold.',
    items: template,
  },
  sign_in: {
    kind: 'object',
    description: 'Identity of the user in another system, which decides who may log in and with which rights.',
    members: {
      method: { kind: 'text', required: true, description: 'Id of the account that the user logs in with.' },
      subject: { kind: 'text', required: true, description: 'Identity of the user there.' },
    },
  },
  disabled: { kind: 'flag', description: 'True keeps the user out.' },
  api_tokens: {
    kind: 'list',
    description: 'Personal tokens, as hashes.',
    items: {
      kind: 'object',
      description: 'One token.',
      members: {
        prefix: { kind: 'text', description: 'The public start of the token.' },
        label: { kind: 'text', description: 'Its purpose.' },
        hash: { kind: 'text', secret: true, description: 'SHA-256 of the token.' },
        token_hash: { kind: 'text', secret: true, description: 'The same, as existing installations write it.' },
        created: { kind: 'date', description: 'When it was made.' },
        created_at: { kind: 'date', description: 'The same, as existing installations write it.' },
        expires: { kind: 'date', description: 'When it ends; empty for never.' },
        expires_at: { kind: 'date', description: 'The same, as existing installations write it.' },
        api_roles: {
          kind: 'list',
          description: 'Which roles of the user it carries; empty for all of them.',
          items: role,
        },
        readonly: { kind: 'flag', description: 'True lets it read only.' },
        restrict_to_accounts: {
          kind: 'list',
          description: 'Accounts that it reaches at most; empty for those of the user.',
          items: account,
        },
        restrict_to_templates: {
          kind: 'list',
          description: 'Templates whose hosts it reaches at most; empty for those of the user.',
          items: template,
        },
      },
    },
  },
};
