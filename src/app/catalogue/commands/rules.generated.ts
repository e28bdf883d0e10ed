import type { DeclaredCommand } from '../declared-command.ts';

/** The commands `rules …` that operations declare. Written by `npm run catalogue`. */
export const COMMANDS: readonly DeclaredCommand[] = [
  {
    description:
      'Show what the rules do to one host: which hit, which condition decided, what each changed, what went wrong.',
    words: 'rules test',
    summary: 'show what the rules do to one host',
    arguments: {
      hostname: {
        shown: '<hostname>',
        description: 'name of the host',
      },
    },
    options: {
      project: {
        flags: '--project <name>',
        description: 'the rules of this project instead of those of no project',
      },
      target: {
        flags: '--target <account>',
        description: 'the rules that an export to this account runs, those of its target too',
      },
    },
    json: 'answer rules, groups and served values as JSON',
    examples: ['muster rules test web01.example.org', 'muster rules test web01.example.org --project backup'],
    async operation() {
      return (await import('./../../rules/explain/operations/explain-host.ts')).explainHost;
    },
  },
  {
    description: 'Show what differs between two versions of a rule.',
    words: 'rules compare',
    summary: 'show what differs between two versions of a rule',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of its type',
      },
      rule: {
        shown: '<rule>',
        description: 'name of the rule, or its id when it was removed',
      },
      from: {
        shown: '<version>',
        description: 'as "rules history" shows it',
        parse: {
          from: 1,
        },
      },
      to: {
        shown: '<other>',
        description: 'the version that it is compared with',
        parse: {
          from: 1,
        },
      },
    },
    json: 'answer the differences as JSON',
    examples: ['muster rules compare custom_attributes "Site from hostname" 2 5'],
    async operation() {
      return (await import('./../../rules/operations/compare-versions.ts')).compareVersions;
    },
  },
  {
    description: 'List the hosts that a rule fails on, and how.',
    words: 'rules failing-hosts',
    summary: 'hosts that a rule fails on',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of its type',
      },
      rule: {
        shown: '<rule>',
        description: 'name or id of the rule',
      },
    },
    options: {
      after: {
        flags: '--after <hostname>',
        description: 'only hosts behind this one, by name',
      },
      seconds: {
        flags: '--seconds <n>',
        description: 'look for so long only',
        parse: {
          from: 1,
          to: 600,
        },
      },
      limit: {
        flags: '--limit <n>',
        description: 'hosts to list',
        parse: {
          from: 1,
          to: 1000,
        },
        default: 100,
      },
    },
    columns: ['host', 'error'],
    json: 'answer the hosts and how many there are as JSON',
    examples: ['muster rules failing-hosts custom_attributes "Site from hostname"'],
    async operation() {
      return (await import('./../../rules/operations/failing-hosts.ts')).failingHosts;
    },
  },
  {
    description: 'List the rules that read, set or show an attribute, of all types.',
    words: 'rules uses',
    summary: 'rules that read or set an attribute',
    arguments: {
      attribute: {
        shown: '<attribute>',
        description: 'name of the attribute',
      },
    },
    json: 'answer the rules as JSON',
    examples: ['muster rules uses site'],
    async operation() {
      return (await import('./../../rules/operations/find-attribute-uses.ts')).findAttributeUses;
    },
  },
  {
    description: 'List the runs of autorules of which rules are still there as they were made.',
    words: 'rules autorules list',
    summary: 'list what runs of autorules made',
    columns: ['began', 'rules'],
    json: 'answer the list as JSON',
    examples: ['muster rules autorules list'],
    async operation() {
      return (await import('./../../rules/operations/list-autorules-passes.ts')).listAutorulesPasses;
    },
  },
  {
    description: 'List the removed rules that can be brought back, the last removed first.',
    words: 'rules removed',
    summary: 'list removed rules that can come back',
    options: {
      rule_type: {
        flags: '--type <type>',
        description: 'only rules of this type',
      },
      limit: {
        flags: '--limit <n>',
        description: 'how many',
        parse: {
          from: 1,
          to: 1000,
        },
      },
    },
    columns: ['when', 'by', 'type', 'name', 'id', 'version'],
    json: 'answer the list as JSON',
    examples: ['muster rules removed', 'muster rules removed --type custom_attributes'],
    async operation() {
      return (await import('./../../rules/operations/list-removed.ts')).listRemoved;
    },
  },
  {
    description: 'List the idents of all rule types, one a line.',
    words: 'rules types',
    storage: 'optional',
    options: {
      kept: {
        flags: '--kept',
        description: 'mark types whose documents have no effect, with the reason',
      },
    },
    columns: ['type', 'kept'],
    json: 'answer {"rule_types": […]}',
    examples: ['muster rules types', 'muster rules types --kept'],
    async operation() {
      return (await import('./../../rules/operations/list-rule-types.ts')).listRuleTypes;
    },
  },
  {
    description:
      'List the documents that would make the machine act and were not written by an administrator. They do nothing until they are confirmed.',
    words: 'rules waiting',
    summary: 'list documents that wait for an administrator',
    fixed: {
      limit: 1000,
    },
    columns: ['type', 'name', 'id', 'version', 'it', 'written_by', 'at'],
    json: 'answer the list as JSON',
    examples: ['muster rules waiting', 'muster rules confirm cron_groups nightly'],
    async operation() {
      return (await import('./../../rules/operations/list-waiting.ts')).listWaiting;
    },
  },
  {
    description: 'Bring rules to another place in the order in which the rules of their type run.',
    words: 'rules move',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of their type',
      },
      rules: {
        shown: '<rule...>',
        description: 'names or ids of the rules; they keep the order that they have',
      },
    },
    options: {
      before: {
        flags: '--before <rule>',
        description: 'to the place before this rule',
      },
      after: {
        flags: '--after <rule>',
        description: 'to the place behind this rule',
      },
      to: {
        flags: '--to <end>',
        description: 'to an end: "first" or "last"',
      },
    },
    json: 'answer the new positions as JSON',
    examples: [
      'muster rules move custom_attributes "Site from hostname" --to first',
      'muster rules move automation_filter Names Secrets --after "All of the sources"',
    ],
    async operation() {
      return (await import('./../../rules/operations/move-rules.ts')).moveRules;
    },
  },
  {
    description: 'Show which rules autorules would make now. Stores nothing.',
    words: 'rules autorules preview',
    summary: 'show which rules autorules would make',
    arguments: {
      autorule: {
        shown: '[autorule]',
        description: 'only this one, by name or id',
      },
    },
    json: 'answer the preview as JSON',
    examples: ['muster rules autorules preview', 'muster rules autorules preview "Site rules"'],
    async operation() {
      return (await import('./../../rules/operations/preview-autorules.ts')).previewAutorules;
    },
  },
  {
    description: 'Remove a rule. "rules revert" brings it back.',
    words: 'rules remove',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of its type',
      },
      rule: {
        shown: '<rule>',
        description: 'name or id of the rule',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster rules remove custom_attributes "Site from hostname"'],
    async operation() {
      return (await import('./../../rules/operations/remove-rule.ts')).removeRule;
    },
  },
  {
    description: 'Store a past version of a rule again, as a new version. A removed rule comes back.',
    words: 'rules revert',
    summary: 'bring back a past version of a rule',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of its type',
      },
      rule: {
        shown: '<rule>',
        description: 'name of the rule, or its id when it was removed',
      },
      version: {
        shown: '<version>',
        description: 'version to go back to, as "rules history" shows it',
        parse: {
          from: 1,
        },
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster rules revert custom_attributes "Site from hostname" 3'],
    async operation() {
      return (await import('./../../rules/operations/revert-rule.ts')).revertRule;
    },
  },
  {
    description: 'Show the past versions of a rule: who changed what, and when.',
    words: 'rules history',
    summary: 'show the past versions of a rule',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of its type',
      },
      rule: {
        shown: '<rule>',
        description: 'name or id of the rule',
      },
    },
    options: {
      limit: {
        flags: '--limit <n>',
        description: 'at most this many versions',
        parse: {
          from: 1,
          to: 1000,
        },
        default: 20,
      },
    },
    columns: ['version', 'time', 'change', 'by', 'changes'],
    json: 'answer the versions as JSON',
    examples: ['muster rules history custom_attributes "Site from hostname"'],
    async operation() {
      return (await import('./../../rules/operations/rule-history.ts')).ruleHistory;
    },
  },
  {
    description: 'Show the rules of a project in the order in which a host passes them, and how many hosts each hits.',
    words: 'rules project',
    summary: 'show the rules of a project and what they hit',
    arguments: {
      project: {
        shown: '<project>',
        description: 'name of the project',
      },
    },
    options: {
      seconds: {
        flags: '--seconds <n>',
        description: 'count for so long only; 0 counts nothing',
        parse: {
          from: 0,
          to: 600,
        },
      },
    },
    json: 'answer the project as JSON',
    examples: ['muster rules project backup'],
    async operation() {
      return (await import('./../../rules/operations/show-project.ts')).showProject;
    },
  },
  {
    description: 'Enable all rules of a project.',
    words: 'rules enable-project',
    arguments: {
      project: {
        shown: '<project>',
        description: 'name of the project',
      },
    },
    fixed: {
      enabled: true,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster rules enable-project backup'],
    async operation() {
      return (await import('./../../rules/operations/switch-project.ts')).switchProject;
    },
  },
  {
    description: 'Disable all rules of a project.',
    words: 'rules disable-project',
    arguments: {
      project: {
        shown: '<project>',
        description: 'name of the project',
      },
    },
    fixed: {
      enabled: false,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster rules disable-project backup'],
    async operation() {
      return (await import('./../../rules/operations/switch-project.ts')).switchProject;
    },
  },
  {
    description: 'Enable rules of one type.',
    words: 'rules enable',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of their type',
      },
      rules: {
        shown: '<rule...>',
        description: 'names or ids of the rules',
      },
    },
    fixed: {
      enabled: true,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster rules enable custom_attributes "Site from hostname"'],
    async operation() {
      return (await import('./../../rules/operations/switch-rules.ts')).switchRules;
    },
  },
  {
    description: 'Disable rules of one type.',
    words: 'rules disable',
    arguments: {
      rule_type: {
        shown: '<type>',
        description: 'ident of their type',
      },
      rules: {
        shown: '<rule...>',
        description: 'names or ids of the rules',
      },
    },
    fixed: {
      enabled: false,
    },
    json: 'answer the outcome as JSON',
    examples: ['muster rules disable custom_attributes "Site from hostname"'],
    async operation() {
      return (await import('./../../rules/operations/switch-rules.ts')).switchRules;
    },
  },
  {
    description: 'Remove the rules that one run of autorules made, but those that were changed since.',
    words: 'rules autorules undo',
    summary: 'remove what a run of autorules made',
    arguments: {
      began_at: {
        shown: '<began>',
        description: 'when the run began, as "rules autorules list" shows it',
      },
    },
    json: 'answer the outcome as JSON',
    examples: ['muster rules autorules undo 2026-03-01T08:00:00.000Z'],
    async operation() {
      return (await import('./../../rules/operations/undo-autorules.ts')).undoAutorules;
    },
  },
];
