import type { RuleMembers } from '../../ports/rule-member.ts';

export const members: RuleMembers = {
  type: { kind: 'text', description: 'Type of the source, such as `csv`, or `api`; older documents say `typ`.' },
  is_master: { kind: 'flag', description: 'True lets imports take hosts over from other accounts.' },
  is_child: { kind: 'flag', description: 'True takes what is not given here from the parent.' },
  parent: { kind: 'reference', description: 'The account that a child inherits its settings from.' },
  restrict_to: {
    kind: 'choice',
    choices: ['', 'import', 'inventorize'],
    description: 'Restricts the account: `import` refuses inventorizing, `inventorize` refuses hosts of its own.',
  },
  is_object: { kind: 'flag', description: 'True when the account holds objects that are not hosts.' },
  object_type: { kind: 'text', description: 'Type of its objects: `network`, `contact`, …' },
  check_for_valid_hostname: { kind: 'flag', description: 'True refuses names that are not valid hostnames.' },
  require_fqdn: { kind: 'flag', description: 'True refuses hostnames without a domain.' },
  address: { kind: 'text', description: 'Address of the source.' },
  username: { kind: 'text', description: 'User at the source.' },
  password: {
    kind: 'text',
    secret: true,
    description: 'The password in clear text; it is stored encrypted and dropped.',
  },
  password_crypted: { kind: 'text', secret: true, description: 'The password, encrypted under the instance key.' },
  password_from: {
    kind: 'text',
    description: 'Reference to a password that is kept elsewhere, such as `vault:secret/data/netbox#token`.',
  },
  custom_fields: {
    kind: 'list',
    description: 'Options of the source, and values for account macros.',
    items: {
      kind: 'object',
      description: 'One option.',
      members: {
        name: { kind: 'text', required: true, description: 'Name of the option.' },
        value: { kind: 'value', description: 'Its value.' },
        secret: { kind: 'flag', description: 'True stores the value encrypted.' },
        value_crypted: { kind: 'text', secret: true, description: 'The value, encrypted under the instance key.' },
        value_from: { kind: 'text', description: 'Reference to a secret that is kept elsewhere.' },
      },
    },
  },
};
