import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `user …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Make a link that logs in once as a user, without password, second factor or the system by which the user logs in. It counts for 15 minutes, and the session that it begins for --minutes. Link and use stand in the audit log.',
    words: 'user break-glass',
    summary: 'let someone in when nothing else does',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    options: {
      minutes: {
        flags: '--minutes <number>',
        description: 'how long the session lasts, 1 to 240; 30 when absent',
      },
      reason: {
        flags: '--reason <text>',
        description: 'why, for the audit log, in at least 3 letters',
        required: true,
      },
    },
    json: 'answer the link as JSON',
    examples: ['muster user break-glass admin --reason "identity provider is down"'],
    async operation() {
      return (await import('./../../users/second-factor/operations/break-glass.ts')).issueBreakGlass;
    },
  },
  {
    description:
      'Change e-mail address, roles or restrictions of a user. What is named takes the place of what was; what is not named stays.',
    words: 'user set',
    summary: 'change roles and restrictions of a user',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    options: {
      email: {
        flags: '--email <address>',
        description: 'e-mail address',
      },
      roles: {
        flags: '--role <role>',
        description: 'API role, instead of all it has (may be repeated)',
        parse: 'list',
      },
      accounts: {
        flags: '--account <name>',
        description: 'restrict the user to this account (may be repeated)',
        parse: 'list',
      },
      templates: {
        flags: '--template <name>',
        description: 'restrict the user to hosts that name this template (may be repeated)',
        parse: 'list',
      },
      read_only: {
        flags: '--read-only',
        description: 'refuse everything that changes data',
      },
      admin: {
        flags: '--admin',
        description: 'make the user a global administrator',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster user set olga --role objects --role automation', 'muster user set olga --account datacentre'],
    async operation() {
      return (await import('./../../users/operations/change-user.ts')).changeUser;
    },
  },
  {
    description: 'Refuse a user from now on, passwords and tokens alike.',
    words: 'user disable',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    fixed: {
      disabled: true,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster user disable olga'],
    async operation() {
      return (await import('./../../users/operations/change-user.ts')).changeUser;
    },
  },
  {
    description: 'Let a disabled user in again.',
    words: 'user enable',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    fixed: {
      disabled: false,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster user enable olga'],
    async operation() {
      return (await import('./../../users/operations/change-user.ts')).changeUser;
    },
  },
  {
    description: 'Create an API token for a user and print it. It is shown only once.',
    words: 'user token create',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    options: {
      label: {
        flags: '--label <text>',
        description: 'what the token is for',
        required: true,
      },
      expires_days: {
        flags: '--expires-days <n>',
        description: 'days until it ends, 0 or never for no end; without it as TOKEN_DEFAULT_DAYS says',
        parse: {
          from: 0,
          to: 3650,
          zero: 'never',
        },
      },
      roles: {
        flags: '--role <role>',
        description: 'carry this role of the user only (may be repeated)',
        parse: 'list',
      },
      accounts: {
        flags: '--account <name>',
        description: 'reach this account only (may be repeated)',
        parse: 'list',
      },
      templates: {
        flags: '--template <name>',
        description: 'reach hosts of this template only (may be repeated)',
        parse: 'list',
      },
      read_only: {
        flags: '--read-only',
        description: 'refuse everything that changes data',
      },
    },
    json: 'answer the token as JSON',
    examples: [
      'muster user token create olga --label ci --expires-days 90',
      'muster user token create olga --label controller --role automation --read-only',
    ],
    async operation() {
      return (await import('./../../users/operations/create-token.ts')).createToken;
    },
  },
  {
    description: 'Delete a user with all tokens; sessions end at once. History and audit keep the name.',
    words: 'user delete',
    summary: 'delete a user',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster user delete olga'],
    async operation() {
      return (await import('./../../users/operations/delete-user.ts')).deleteUser;
    },
  },
  {
    description: 'End a session of a user at the admin interface, or all of them, on every node.',
    words: 'user end-sessions',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
      session: {
        shown: '[session]',
        description: 'only this session, as "user sessions" names it',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster user end-sessions olga', 'muster user end-sessions olga 3f5a9c0d1e2b'],
    async operation() {
      return (await import('./../../users/operations/end-sessions.ts')).endSessions;
    },
  },
  {
    description: 'List where a user is logged in at the admin interface.',
    words: 'user sessions',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    columns: ['session', 'begun', 'last_used', 'address', 'browser'],
    json: 'answer a JSON array of sessions',
    examples: ['muster user sessions olga'],
    async operation() {
      return (await import('./../../users/operations/list-sessions.ts')).listSessions;
    },
  },
  {
    description: 'List the tokens of a user: prefix, label, end and last use.',
    words: 'user token list',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    columns: ['prefix', 'label', 'carries', 'created', 'ends', 'last_used'],
    json: 'answer a JSON array of tokens',
    examples: ['muster user token list olga'],
    async operation() {
      return (await import('./../../users/operations/list-tokens.ts')).listTokens;
    },
  },
  {
    description: 'List the users with their roles and restrictions.',
    words: 'user list',
    columns: ['name', 'roles', 'accounts', 'tokens', 'state', 'e_mail'],
    json: 'answer a JSON array of users',
    examples: ['muster user list', "muster user list --json | jq -r '.[].name'"],
    async operation() {
      return (await import('./../../users/operations/list-users.ts')).listUsers;
    },
  },
  {
    description:
      'Take authenticator app, passkeys and recovery codes from a user who has lost them. The password stays, and sessions end. Where a second factor is required, the user sets one up at the next login.',
    words: 'user reset-second-factor',
    summary: 'help a user who has lost the second factor',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster user reset-second-factor olga'],
    async operation() {
      return (await import('./../../users/second-factor/operations/reset-second-factor.ts')).resetSecondFactor;
    },
  },
  {
    description: 'Revoke a token; it stops working at once.',
    words: 'user token revoke',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
      prefix: {
        shown: '<prefix>',
        description: 'prefix of the token, as "user token list" shows it',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster user token revoke olga muster_Zk3hQ9aB'],
    async operation() {
      return (await import('./../../users/operations/revoke-token.ts')).revokeToken;
    },
  },
  {
    description: 'Show one user.',
    words: 'user show',
    arguments: {
      name: {
        shown: '<name>',
        description: 'name of the user',
      },
    },
    json: 'answer the user as JSON',
    examples: ['muster user show olga'],
    async operation() {
      return (await import('./../../users/operations/show-user.ts')).showUser;
    },
  },
];
