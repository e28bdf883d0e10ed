import { isActiveTemplate } from '../../kit/document/template-state.ts';
import type { RuleRecord, Storage } from '../../ports/index.ts';
import { RevisionCache } from '../kernel/revision-cache.ts';

const TYPE = 'cmdb_templates';

interface Template {
  readonly id: string;
  readonly name: string;
}

/** Templates by name and by id, as users and hosts refer to them. Read only once a user is restricted to some. */
export class TemplateDirectory {
  readonly #templates: RevisionCache<ReadonlyMap<string, Template>>;

  constructor(storage: Storage) {
    this.#templates = new RevisionCache(storage, [`rules/${TYPE}`], async () =>
      indexTemplates(await storage.rules.list(TYPE)),
    );
  }

  /** Returns names of templates given by name or id; unknown references stay as they are. */
  async namesOf(references: readonly string[] | null): Promise<readonly string[] | null> {
    if (references === null) return null;
    const templates = await this.#templates.get();
    return [...new Set(references.map((reference) => templates.get(reference)?.name ?? reference))];
  }

  /** The references by which hosts may name these templates: name and id. Unknown ones are left out and match no host. */
  async referencesOf(names: readonly string[]): Promise<readonly string[]> {
    const templates = await this.#templates.get();
    return names.flatMap((name) => {
      const found = templates.get(name);
      return found === undefined ? [] : [found.name, found.id];
    });
  }
}

/** Names come before ids: a template that is called as the id of another one is meant by its name. */
function indexTemplates(records: readonly RuleRecord[]): ReadonlyMap<string, Template> {
  const templates = records
    .filter(({ document }) => isActiveTemplate(document.value))
    .map(({ id, name }) => ({ id, name }));
  return new Map([
    ...templates.map((one) => [one.id, one] as const),
    ...templates.map((one) => [one.name, one] as const),
  ]);
}
