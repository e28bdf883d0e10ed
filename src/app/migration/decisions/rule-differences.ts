import { memberObjects, memberText, ownMember } from '../../../kit/document/members.ts';
import type { JsonObject } from '../../../ports/json.ts';
import type { ExportedDocument, ExportedDocuments } from './exported-document.ts';
import { inOrder, inventoriesOf, rulesByProject } from './projects.ts';

const FILTERS = 'automation_filter';
const REWRITES = 'automation_rewrite';
const VARIABLES = 'automation_customvars';

/** Projects whose inventory would show every attribute, since no filter rule says what it shows; the old one showed none. */
export function unfilteredProjects(documents: ExportedDocuments): readonly string[] {
  const filtered = rulesByProject(documents, FILTERS);
  const isUsed = (name: string): boolean =>
    name !== 'automation' ||
    rulesByProject(documents, VARIABLES).has(name) ||
    rulesByProject(documents, REWRITES).has(name);
  return inventoriesOf(documents).filter((name) => !filtered.has(name) && isUsed(name));
}

/** Filters that show an attribute by its whole name. Those of 0, false or empty text were hidden all the same. */
export function exactFilters(documents: ExportedDocuments): readonly ExportedDocument[] {
  return inOrder(documents.get(FILTERS) ?? []).filter(({ document }) =>
    memberObjects(document, 'outcomes').some((outcome) => {
      const name = memberText(outcome, 'attribute_name');
      return memberText(outcome, 'action') === 'whitelist_attribute' && name !== '' && !/^!|\*$/.test(name);
    }),
  );
}

/** Custom attributes that read what an earlier rule of them sets, which none saw before. */
export function attributesInTurn(documents: ExportedDocuments): readonly ExportedDocument[] {
  return readersOf(inOrder(documents.get('custom_attributes') ?? []), (outcome) =>
    memberText(outcome, 'attribute_name'),
  );
}

/** Rewrites that read an attribute under the name that an earlier rewrite takes away. */
export function rewritesInTurn(documents: ExportedDocuments): readonly ExportedDocument[] {
  return [...rulesByProject(documents, REWRITES).values()].flatMap((rules) =>
    readersOf(rules, (outcome) =>
      memberText(outcome, 'overwrite_name') === '' ? '' : memberText(outcome, 'old_attribute_name'),
    ),
  );
}

/** Firing rules that ask for an attribute under the name that a rewrite of their project takes away: they saw labels as they are. */
export function firingOnRenamed(documents: ExportedDocuments): readonly ExportedDocument[] {
  const rewrites = rulesByProject(documents, REWRITES);
  return [...rulesByProject(documents, 'automation_playbook_fire')].flatMap(([project, rules]) => {
    const outcomes = (rewrites.get(project) ?? []).flatMap(({ document }) => memberObjects(document, 'outcomes'));
    const renamed = outcomes.flatMap((outcome) =>
      ['string', 'jinja'].includes(memberText(outcome, 'overwrite_name'))
        ? memberText(outcome, 'old_attribute_name')
        : [],
    );
    return rules.filter(({ document }) => [...wordsOf(document)].some((word) => renamed.includes(word)));
  });
}

/** Rules that set `ansible_groups`: a variable like others there, and groups of the inventory here. */
export function groupSetters(documents: ExportedDocuments): readonly ExportedDocument[] {
  return inOrder(documents.get(VARIABLES) ?? []).filter(({ document }) =>
    memberObjects(document, 'outcomes').some((outcome) => memberText(outcome, 'attribute_name') === 'ansible_groups'),
  );
}

const RENDERED = ['attribute_value', 'new_value', 'new_attribute_name'];

/** Rules with a text of several lines, as a file may have it; those that pages write end with a carriage return and stayed. */
export function textsOfLines(documents: ExportedDocuments): readonly ExportedDocument[] {
  return [VARIABLES, REWRITES].flatMap((type) =>
    inOrder(documents.get(type) ?? []).filter(({ document }) =>
      memberObjects(document, 'outcomes').some((outcome) =>
        RENDERED.some((member) => /[^\r]\n\s*\S/.test(memberText(outcome, member))),
      ),
    ),
  );
}

const LIST_TEXT = 'list_source';

/** Rules over a pasted list, of a type. */
export function listRules(documents: ExportedDocuments, type: string): readonly ExportedDocument[] {
  return inOrder(documents.get(type) ?? []).filter(({ document }) => {
    const source = memberText(document, 'rule_source');
    return source === 'list' || (source === '' && memberText(document, LIST_TEXT).trim() !== '');
  });
}

const AGE = /"(older_than|newer_than)"|syncer_last_(seen|sync)/;

/** Filters that take hosts out, in projects with rules about ages: those hosts stayed there. */
export function hidersBesideAges(documents: ExportedDocuments): readonly ExportedDocument[] {
  const speaks = (rules: readonly ExportedDocument[] = []): boolean =>
    rules.some(({ document }) => AGE.test(JSON.stringify(document)));
  const everywhere = speaks(inOrder(documents.get('custom_attributes') ?? []));
  const rewrites = rulesByProject(documents, REWRITES);
  return [...rulesByProject(documents, FILTERS)].flatMap(([project, filters]) =>
    everywhere || speaks(filters) || speaks(rewrites.get(project)) ? filters.filter(hides) : [],
  );
}

function hides({ document }: ExportedDocument): boolean {
  return memberObjects(document, 'outcomes').some((outcome) => memberText(outcome, 'action') === 'ignore_hosts');
}

/** Those that name, as a word in conditions or outcomes, what a rule before them changes. */
function readersOf(
  rules: readonly ExportedDocument[],
  changed: (outcome: JsonObject) => string,
): readonly ExportedDocument[] {
  const names = new Set<string>();
  return rules.filter(({ document }) => {
    const words = new Set(wordsOf(document));
    const reads = [...names].some((name) => words.has(name));
    for (const outcome of memberObjects(document, 'outcomes')) {
      const name = changed(outcome);
      if (name !== '') names.add(name);
    }
    return reads;
  });
}

/** Names that conditions ask for, and those in texts that are rendered. */
function* wordsOf(document: JsonObject): Generator<string> {
  for (const condition of memberObjects(document, 'conditions')) {
    yield memberText(condition, 'tag');
    yield* templateWords(memberText(condition, 'value'));
  }
  for (const outcome of memberObjects(document, 'outcomes')) {
    for (const name of Object.keys(outcome)) {
      const value = ownMember(outcome, name);
      if (typeof value === 'string') yield* templateWords(value);
    }
  }
}

function templateWords(text: string): readonly string[] {
  return /\{[{%]/.test(text) ? (text.match(/\w+/g) ?? []) : [];
}
