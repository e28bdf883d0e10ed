import * as z from 'zod';
import { counted } from '../../../kit/words/amounts.ts';
import { rulesOfProject } from '../project-rules.ts';
import { defineOperation } from '../services.ts';
import { firstOf, namedRule } from '../several-rules.ts';
import { refuseBeyondReach } from '../transfer/account-scope.ts';
import { setMember } from '../transfer/store-document.ts';

const PROJECT = { project: { shown: '<project>', description: 'name of the project' } } as const;

export const switchProject = defineOperation({
  name: 'rules/switch-project',
  title: 'Enable or disable the rules of a project',
  description: 'Enables or disables all rules of a project, of whatever type, and changes nothing else in them.',
  effect: 'write',
  roles: ['rules'],
  weight: 'light',
  at: {
    rest: {
      path: 'POST /rules/projects/:project/enabled',
      body: 'required',
      errors: ['not_found', 'forbidden', 'conflict'],
    },
    command: [
      {
        words: 'rules enable-project',
        description: 'Enable all rules of a project.',
        arguments: PROJECT,
        fixed: { enabled: true },
        json: 'answer the outcome as JSON',
        examples: ['muster rules enable-project backup'],
        view: ({ changed }, print) => print.note(`Enabled ${counted(changed.length, 'rule')}.`),
      },
      {
        words: 'rules disable-project',
        description: 'Disable all rules of a project.',
        arguments: PROJECT,
        fixed: { enabled: false },
        json: 'answer the outcome as JSON',
        examples: ['muster rules disable-project backup'],
        view: ({ changed }, print) => print.note(`Disabled ${counted(changed.length, 'rule')}.`),
      },
    ],
    page: true,
  },
  input: z.object({ project: z.string().min(1).describe('Name or id of the project'), enabled: z.boolean() }),
  output: z.object({
    project: z.string(),
    enabled: z.boolean(),
    changed: z.array(z.object({ rule_type: z.string(), id: z.string() })).describe('The rules that were not so before'),
  }),
  subject: ({ project, enabled }) => switchedProject(project, enabled),
  async run({ project, enabled }, { services, caller, signal, actsOn }) {
    const { record: found, rules } = await rulesOfProject(services, caller, project);
    const others = rules.filter(({ envelope }) => envelope.enabled !== enabled);
    const named = firstOf(others.map(({ type, record }) => `${type.id} ${namedRule(record)}`));
    actsOn(`${switchedProject(found.name, enabled)}${named === '' ? '' : `: ${named}`}`);
    // Nothing is changed before all of them may be.
    for (const { type } of others) refuseBeyondReach(type, caller);
    const changed: { rule_type: string; id: string }[] = [];
    for (const { type, record } of others) {
      signal.throwIfAborted();
      await setMember(services, caller, type, record, 'enabled', enabled);
      changed.push({ rule_type: type.id, id: record.id });
    }
    return { project: found.name, enabled, changed };
  },
});

function switchedProject(project: string, enabled: boolean): string {
  return `${project} ${enabled ? 'enabled' : 'disabled'}`;
}
