import { memberFlag, memberReference, memberText } from '../../kit/document/members.ts';
import type { RuleDocument, RuleType } from '../../ports/index.ts';
import type { RuleFailure } from './engine/rule-failures.ts';

const ID = /^[0-9a-f]{24}$/i;

/**
 * Enabled rules whose project is named by an id that nobody has. Which inventory they are for is not known, and it may be the one
 * without a project: exports of existing installations give every such rule the id of their project `Default`. So nothing goes
 * out without them. A project that is named by its name is none until it exists, and no other inventory is meant.
 */
export function orphanedRules(
  types: Iterable<RuleType>,
  rules: ReadonlyMap<string, readonly RuleDocument[]>,
  projects: readonly RuleDocument[],
): readonly RuleFailure[] {
  const known = new Set(projects.map((project) => memberReference(project, '_id')));
  const orphans: RuleFailure[] = [];
  for (const type of types) {
    const stage = type.evaluation?.stage;
    // A rule about playbooks that counts nowhere starts none.
    if (stage === undefined || stage === 'attributes' || stage === 'playbooks') continue;
    for (const document of rules.get(type.id) ?? []) {
      const project = memberReference(document, 'project');
      if (project === undefined || !ID.test(project) || known.has(project) || !memberFlag(document, 'enabled'))
        continue;
      orphans.push({
        type: type.id,
        id: memberReference(document, '_id') ?? '',
        name: memberText(document, type.keyedBy),
        errors: 1,
        lastError: orphanText(project),
        lastHostname: '',
      });
    }
  }
  return orphans;
}

function orphanText(project: string): string {
  return `its project ${project} does not exist, so it is not known which inventory it is for; import the project (type automation_projects), or give the rule another one ("Default" for the inventory automation)`;
}
