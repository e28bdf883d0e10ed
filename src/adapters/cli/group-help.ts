/** Additions to the help of a group. Loaded with the group, so that no other command pays for them. */
interface GroupHelp {
  /** Examples at the end. */
  readonly examples?: readonly string[];
  /** Order of its commands; those that operations declare and this does not name come last. */
  readonly order?: readonly string[];
}

export const GROUP_HELP: Readonly<Record<string, GroupHelp>> = {
  host: {
    examples: ['muster host list', 'muster host show web01.example.org', 'muster host explain web01.example.org'],
    order: ['list', 'show', 'explain', 'archive', 'restore', 'history', 'set', 'relations'],
  },
  search: {
    examples: ["muster search save 'old kernels' 'kernel<5.10'", 'muster search list'],
  },
  account: {
    examples: [
      'muster account add datacentre --type csv --set path=hosts.csv --set hostname_field=host',
      'muster account test datacentre',
      'muster import datacentre',
    ],
    order: ['add', 'set', 'list', 'types', 'show', 'test', 'enable', 'disable', 'delete'],
  },
  preset: {
    examples: ['muster preset list', 'muster preset new mycmdb > presets/mycmdb.yaml'],
  },
  published: {
    examples: ['muster published list prometheus', 'muster published show prometheus targets.json'],
  },
  playbook: {
    examples: [
      'muster playbook list',
      'muster playbook run agent.yml --host web01.example.org',
      'muster playbook fire',
    ],
    order: ['list', 'run', 'fire', 'fire-existing', 'runs', 'show', 'cancel'],
  },
  notification: {
    examples: ['muster notification list --state dead', 'muster notification test ops-mail'],
    order: ['list', 'test', 'retry', 'send'],
  },
  'sign-in': {
    examples: ['muster sign-in list', 'muster sign-in test directory'],
    order: ['list', 'test'],
  },
  run: {
    examples: ['muster run active', 'muster run list --outcome failed'],
    order: ['active', 'list', 'cancel'],
  },
  user: {
    examples: [
      'muster user add olga --role objects --role automation',
      'muster user list',
      'muster user token create olga --label ci',
    ],
    order: ['add', 'set', 'list', 'show', 'passwd', 'delete', 'disable', 'enable', 'sessions', 'end-sessions', 'token'],
  },
  profile: {
    examples: ['muster profile list', 'muster profile use prod', 'muster profile use local'],
    order: ['list', 'use', 'remove'],
  },
  config: {
    examples: ['muster config show'],
  },
  rules: {
    examples: [
      'muster rules list automation_customvars',
      'muster rules export > rules.json',
      'muster rules import rules.json',
    ],
    order: [
      'types',
      'list',
      'show',
      'edit',
      'import',
      'export',
      'diff',
      'apply',
      'waiting',
      'confirm',
      'autorules',
      'test',
      'impact',
      'history',
      'revert',
      'remove',
    ],
  },
  cron: {
    examples: ['muster cron status', 'muster cron trigger nightly', 'muster cron run'],
    order: ['run', 'status', 'trigger', 'token', 'policy'],
  },
  plugin: {
    examples: ['muster plugin new my-cmdb --kind source', 'muster plugin actions'],
  },
  migrate: {
    examples: ['muster migrate check export.jsonl', 'muster migrate run export.jsonl'],
    order: ['check', 'compare', 'run'],
  },
  storage: {
    examples: [
      'muster storage check',
      'muster storage migrate --from sqlite:data/muster.db --to postgresql://muster@db.example.org/muster',
    ],
    order: ['check', 'migrate', 'rotate-key', 'begin-audit-chain'],
  },
};
