import { isIP } from 'node:net';
import { isOwnMachine } from '../../../kit/names/entity-names.ts';
import type { JsonValue } from '../../../ports/index.ts';
import { fieldOf, type HostView, isHostName, lookedUpName, objectOf, quoted, textOf } from '../host-view.ts';
import type { FilesOptions } from '../options.ts';
import { HostFault, type Shape } from '../shape.ts';
import { asItIs, GroupsOfHosts, groupTexts, identifier, unsafeOnes, VariableNaming } from './ansible-groups.ts';
import { indented } from './ansible-values.ts';
import { yamlText } from './tables.ts';

const HOSTS = 'hosts.yml';

/**
 * An inventory of Ansible's format yaml. Texts of data are marked as unsafe, so that Ansible evaluates none of them; only what a rule
 * marked as an expression is evaluated. Variables that say how Ansible connects come from data where the account names them.
 */
export function ansibleShape(options: FilesOptions): Shape {
  const { address_field, fields, connection_variables, group_names, layout } = options;
  const named = fields.map(fieldOf);
  const variableNaming = new VariableNaming(options.variable_names, connection_variables);
  const naming = group_names === 'kept' ? asItIs : identifier;
  const byPath = new Map<string, GroupsOfHosts>();

  function groupsOf(path: string): GroupsOfHosts {
    const known = byPath.get(path);
    if (known !== undefined) return known;
    const groups = new GroupsOfHosts(naming);
    byPath.set(path, groups);
    return groups;
  }

  function variablesOf(host: HostView): object {
    const chosen = unsafeOnes(objectOf({ ...host, expressions: {} }, named));
    const vouched = { ...Object.fromEntries(connectionOf(host, address_field)), ...host.expressions };
    return variableNaming.named(`host ${host.hostname}`, { ...chosen, ...vouched }, Object.keys(vouched));
  }

  function entry(hostname: string, variables: object): string {
    const isEmpty = Object.keys(variables).length === 0;
    return indented(yamlText({ [hostname]: isEmpty ? {} : variables }), 4);
  }

  return {
    contentType: 'application/yaml; charset=utf-8',
    open: 'all:\n  hosts:\n',
    empty: 'all:\n  hosts: {}\n',
    host(host, path) {
      const hostname = lookedUpName(host, 'an inventory of Ansible');
      const variables = variablesOf(host);
      groupsOf(path).add(hostname, host.groups);
      if (layout === 'file') return entry(hostname, variables);
      const pieces = [{ below: HOSTS, text: entry(hostname, {}) }];
      if (Object.keys(variables).length === 0) return pieces;
      return [...pieces, { below: `host_vars/${hostname}.yml`, text: yamlText(variables) }];
    },
    leftOut: () => [
      ...variableNaming.lost.values(),
      ...[...byPath.values()].flatMap((groups) => [...groups.lost.values()]),
    ],
    groups: (path) => groupsOf(path).wanted(),
    rest(path, groups) {
      const { text, apart } = groupTexts({
        hosts: groupsOf(path),
        groups,
        naming: variableNaming,
        apart: layout === 'tree',
      });
      const variables = [...apart].map(([group, own]) => ({ below: `group_vars/${group}.yml`, text: own }));
      return [{ ...(layout === 'tree' && { below: HOSTS }), text }, ...variables];
    },
  };
}

/** How to reach the host, as far as data may say it: no word here is taken for an option of ssh. */
function connectionOf(host: HostView, addressField: string): readonly (readonly [string, JsonValue])[] {
  const variables: [string, JsonValue][] = [];
  const address = addressField === '' ? host.text('ansible_host') : (host.addresses(addressField)[0] ?? '');
  if (address !== '') {
    if (isIP(address) === 0 && !isHostName(address, '_')) throw refused('ansible_host', address);
    if (isOwnMachine(address)) throw refused('ansible_host', address);
    variables.push(['ansible_host', address]);
  }
  const port = textOf(host.value('ansible_port'));
  if (port !== '') {
    if (!/^\d{1,5}$/.test(port)) throw refused('ansible_port', port);
    variables.push(['ansible_port', Number(port)]);
  }
  const user = host.text('ansible_user');
  if (user !== '') {
    if (!/^\w[\w.@\\-]*$/.test(user)) throw refused('ansible_user', user);
    variables.push(['ansible_user', user]);
  }
  return variables;
}

function refused(name: string, value: string): HostFault {
  return new HostFault(`${name} is ${quoted(value)}, which is not written into an inventory of Ansible`);
}
