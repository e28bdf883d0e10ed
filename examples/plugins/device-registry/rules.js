import {
  memberObjects,
  memberProblems,
  membersSchema,
  memberText,
  projectMember,
  projectReferences,
} from 'muster/plugin-api';

/** What both types of rules have in common: they are for exports to this target alone, and belong to projects as others do. */
const common = {
  aliases: [],
  keyedBy: 'name',
  uniqueNames: true,
  conditional: true,
  exportGroup: 'rules',
  secretMembers: [],
  references: projectReferences,
};

const filterMembers = { project: projectMember };

/** Which hosts are no devices of the registry. */
export const registryFilter = {
  ...common,
  id: 'registry_filter',
  title: 'Registry filter',
  description: 'Keeps the hosts that it hits out of the device registry.',
  schema: membersSchema(filterMembers),
  check: (document) => memberProblems(document, filterMembers),
  evaluation: {
    stage: 'filter',
    target: 'device-registry',
    // It takes hosts out, and hides nothing of those that stay.
    hostsOnly: true,
    compile: () => (host) => host.filter.ignoreHost(),
  },
};

const fieldMembers = {
  project: projectMember,
  outcomes: {
    kind: 'list',
    description: 'Fields of the device, in order; later ones win.',
    items: {
      kind: 'object',
      members: {
        field: { kind: 'choice', required: true, choices: ['site', 'os', 'serial'], description: 'The field.' },
        value: { kind: 'text', required: true, description: 'Its value: a template over all attributes.' },
      },
    },
  },
};

/** Fields of devices that are not the variables of their names. */
export const registryFields = {
  ...common,
  id: 'registry_fields',
  title: 'Registry fields',
  description: 'Says what fields of a device are: its site, its system, its serial number.',
  schema: membersSchema(fieldMembers),
  check: (document) => memberProblems(document, fieldMembers),
  evaluation: {
    stage: 'target',
    target: 'device-registry',
    compile(document, compiler) {
      const outcomes = memberObjects(document, 'outcomes').map((outcome) => ({
        field: memberText(outcome, 'field'),
        value: compiler.template(memberText(outcome, 'value')),
      }));
      return (host) => {
        for (const { field, value } of outcomes) {
          const text = value.render(host);
          // What the device is to be is not known then: it stays as it is, and the run names the host.
          if (text === undefined) throw new Error(`the value of ${field} could not be rendered`);
          host.outcome({ [field]: text });
        }
      };
    },
  },
};
