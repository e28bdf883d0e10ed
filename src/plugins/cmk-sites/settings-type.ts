import { memberProblems, membersSchema } from '../../kit/document/member-table.ts';
import { memberText, ownMember } from '../../kit/document/members.ts';
import type { JsonObject } from '../../ports/json.ts';
import type { RuleMember, RuleMembers } from '../../ports/rule-member.ts';
import type { RuleType } from '../../ports/rule-type.ts';
import { macroRefusals } from '../shared/rule-types/macro-scope.ts';
import { isClearSecret, sealClearMembers, sealedName } from '../shared/rule-types/secrets.ts';
import { templateProblems } from '../shared/rule-types/texts.ts';

/** Kept encrypted, as members `<name>_crypted`, unless they are account macros. */
const SECRET_SETTINGS = [
  'inital_password',
  'subscription_password',
  'cmk_secret',
  'webserver_certificate_private_key',
] as const;

function sealed(what: string): RuleMember {
  return { kind: 'text', secret: true, description: `${what}, encrypted under the instance key.` };
}

/** Every text of the settings is a template with `CMK_VERSION`, `CMK_EDITION` and account macros. */
const members: RuleMembers = {
  server_user: { kind: 'text', description: 'User to connect to the server with.' },
  cmk_version: { kind: 'text', description: 'Version that the site runs.' },
  cmk_edition: { kind: 'text', description: 'Edition that the site runs.' },
  cmk_version_filename: {
    kind: 'text',
    description: 'File name of the installer; may use `CMK_VERSION` and `CMK_EDITION`.',
  },
  installation_staging_path: { kind: 'text', description: 'Folder on the server to put the installer into.' },
  inital_password: { kind: 'text', secret: true, description: 'First password of a new site; it is stored encrypted.' },
  inital_password_crypted: sealed('The first password'),
  subscription_username: { kind: 'text', description: 'User of the download subscription.' },
  subscription_password: {
    kind: 'text',
    secret: true,
    description: 'Password of the download subscription; it is stored encrypted.',
  },
  subscription_password_crypted: sealed('The password of the subscription'),
  cmk_user: { kind: 'text', description: 'Automation user of the main server.' },
  cmk_secret: { kind: 'text', secret: true, description: 'Secret of the automation user; it is stored encrypted.' },
  cmk_secret_crypted: sealed('The secret of the automation user'),
  cmk_server_address: { kind: 'text', description: 'Address of the main server.' },
  webserver_certificate: { kind: 'text', description: 'Certificate of the web server.' },
  webserver_certificate_private_key: {
    kind: 'text',
    secret: true,
    description: 'Private key of that certificate; it is stored encrypted.',
  },
  webserver_certificate_private_key_crypted: sealed('The private key'),
  webserver_certificate_intermediate: { kind: 'text', description: 'Intermediate certificate.' },
};

const secretNames: ReadonlySet<string> = new Set(SECRET_SETTINGS.flatMap((member) => [member, sealedName(member)]));

/** The settings as everybody may see them: without secrets, and without texts that an account fills. */
export function withoutSecrets(settings: JsonObject): JsonObject {
  const shown = Object.entries(settings).filter(([name, value]) => {
    return !secretNames.has(name) && !(typeof value === 'string' && value.includes('ACCOUNT:'));
  });
  return Object.fromEntries(shown);
}

export const cmkSiteSettings: RuleType = {
  id: 'cmk_site_settings',
  aliases: [],
  title: 'Site settings',
  description: 'Settings that several monitoring sites share.',
  keyedBy: 'name',
  group: 'Monitoring',
  switched: false,
  uniqueNames: true,
  conditional: false,
  exportGroup: 'rules',
  secretMembers: [...secretNames],
  get schema() {
    return membersSchema(members);
  },
  check: (document, compiler) => [
    ...memberProblems(document, members),
    ...Object.keys(members).flatMap((name) => templateProblems(name, ownMember(document, name), compiler)),
  ],
  prepare: (document, { seal }) => sealClearMembers(document, SECRET_SETTINGS, seal),
  holdsClearSecrets: (document) => SECRET_SETTINGS.some((member) => isClearSecret(ownMember(document, member))),
  acts: (document) => {
    const hasSecrets = [...secretNames].some((name) => memberText(document, name) !== '');
    return hasSecrets ? ['says where its secrets are used'] : [];
  },
  refusals: macroRefusals,
  // Secrets without an account are hidden from users who are restricted to some accounts.
  visible: (_document, { accounts, templates }) => accounts === null && templates === null,
};
