import type { TextTemplates } from '../../ports/index.ts';
import type { FilesOptions, ShapeName } from './options.ts';
import type { Shape } from './shape.ts';
import { ansibleShape } from './shapes/ansible.ts';
import { dnsZoneShape, hostsShape, knownHostsShape, scraped, sshConfigShape } from './shapes/names.ts';
import { csvShape, fileSdShape, jsonShape, tfvarsShape, yamlShape } from './shapes/tables.ts';
import { templateShape } from './shapes/template.ts';

const SHAPES: Readonly<Record<ShapeName, (options: FilesOptions, templates: TextTemplates) => Shape>> = {
  csv: csvShape,
  json: jsonShape,
  yaml: yamlShape,
  ansible: ansibleShape,
  ssh_config: sshConfigShape,
  known_hosts: knownHostsShape,
  hosts: hostsShape,
  dns_zone: dnsZoneShape,
  file_sd: (options) => fileSdShape(options, { target: scraped }),
  tfvars: tfvarsShape,
  template: templateShape,
};

/** The shape that an account names, for one run. */
export function makeShape(options: FilesOptions, templates: TextTemplates): Shape {
  return SHAPES[options.shape](options, templates);
}
