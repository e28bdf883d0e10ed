import { memberObjects, memberText, ownMember } from '../../kit/document/members.ts';
import type { JsonObject, JsonValue } from '../../ports/json.ts';
import { sealedName } from '../shared/rule-types/secrets.ts';

type Render = (template: string, variables: Readonly<Record<string, JsonValue>>) => Promise<string>;
/** The clear text of a sealed member of the settings; empty when there is none. */
type Open = (member: string) => Promise<string>;

const MAIN_SERVER = 'cmk_main_server_full';
/** The value that existing playbooks expect; a site that needs a different one sets the variable itself. */
const DOWNTIME_HOURS = 1;

/** Settings by member, with the additional names under which existing playbooks read them. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  server_user: ['ansible_user'],
  cmk_version: [],
  cmk_edition: [],
  cmk_version_filename: [],
  installation_staging_path: [],
  inital_password: [],
  subscription_username: [],
  subscription_password: [],
  cmk_user: [],
  cmk_secret: [],
  cmk_server_address: [MAIN_SERVER],
  webserver_certificate: [],
  webserver_certificate_private_key: ['webserver_private_certificate'],
  webserver_certificate_intermediate: ['webserver_intermediate_certificate'],
};

/**
 * Variables that existing playbooks read without checking whether they are set, with the values for settings that do not set
 * them.
 */
const NOT_GIVEN: JsonObject = {
  inital_password: null,
  installation_staging_path: '',
  subscription_username: null,
  subscription_password: null,
  cmk_user: '',
  cmk_secret: '',
  webserver_certificate: null,
  webserver_private_certificate: null,
  webserver_intermediate_certificate: null,
};

/** Names of the variables that the document of the site gives itself. */
export function ownVariableNames(site: JsonObject): readonly string[] {
  return memberObjects(site, 'custom_ansible_variables').map((variable) => memberText(variable, 'variable_name'));
}

/** The inventory variables of one site. Other settings that are not given are left out, so that defaults of playbooks hold. */
export async function siteVariables(
  site: JsonObject,
  settings: JsonObject,
  { render, open }: { readonly render: Render; readonly open: Open },
): Promise<JsonObject> {
  const context = {
    CMK_VERSION: await render(memberText(settings, 'cmk_version'), {}),
    CMK_EDITION: await render(memberText(settings, 'cmk_edition'), {}),
  };
  const variables = new Map<string, JsonValue>([['cmk_site', memberText(site, 'name')], ...Object.entries(NOT_GIVEN)]);
  for (const [member, names] of Object.entries(SETTINGS)) {
    const text = memberText(settings, member) || (await open(sealedName(member)));
    if (text === '') continue;
    // Certificates and passwords are what they are, to the last line break.
    const value = text.includes('{') ? await render(text, context) : text;
    for (const name of [member, ...names]) variables.set(name, value);
  }
  // Settings give the address only if it differs from that of the site itself.
  if (String(variables.get(MAIN_SERVER) ?? '').trim() === '') {
    variables.set(MAIN_SERVER, `https://${memberText(site, 'server_address').trim()}/${memberText(site, 'name')}`);
  }
  variables.set('cmk_downtime_range', DOWNTIME_HOURS);
  for (const variable of memberObjects(site, 'custom_ansible_variables')) {
    const name = memberText(variable, 'variable_name');
    const value = ownMember(variable, 'variable_value') ?? '';
    if (name !== '') variables.set(name, typeof value === 'string' ? await render(value, context) : value);
  }
  return Object.fromEntries(variables);
}
