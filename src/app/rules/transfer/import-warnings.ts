import * as z from 'zod';
import { AUTORULES } from '../../../kit/document/autorule-condition.ts';
import { isListRule } from '../../../kit/document/list-rule.ts';
import { memberFlag } from '../../../kit/document/members.ts';
import { aliasesOf } from '../../../kit/options/aliases.ts';
import { HTTP_OPTIONS } from '../../../kit/options/http-options.ts';
import { detailOf, saidAt, worded } from '../../../kit/worded.ts';
import { shellWord } from '../../../kit/words/escape.ts';
import type { ErrorDetail, RuleDocument, RuleReference, RuleType, Wording } from '../../../ports/index.ts';
import { API_ROLES, isRole } from '../../kernel/caller.ts';
import { missingJob } from '../../kernel/jobs/job-of.ts';
import type { RuleServices } from '../services.ts';
import type { SettledChange } from '../settle-changes.ts';
import { importWaitsMessage, isPending, waitsMessage } from '../trust/pending.ts';
import { type DocumentProblem, problemOf } from './document-problem.ts';
import type { Candidate } from './import-candidates.ts';

/** References to documents that are neither stored nor in the bundle. */
export async function danglingReferences(
  services: RuleServices,
  candidates: readonly Candidate[],
): Promise<readonly DocumentProblem[]> {
  const known = new Map<string, Set<string>>();
  const targetsOf = async (type: string): Promise<Set<string>> => {
    let targets = known.get(type);
    if (targets === undefined) {
      const records = await services.storage.rules.list(type);
      targets = new Set(records.flatMap((record) => [record.id, record.name]));
      for (const candidate of candidates) {
        if (candidate.type.id === type) targets.add(candidate.write.id).add(candidate.write.name);
      }
      known.set(type, targets);
    }
    return targets;
  };
  const warnings: DocumentProblem[] = [];
  for (const { type, index, document } of candidates) {
    for (const reference of type.references?.(document) ?? []) {
      if ((await targetsOf(reference.type)).has(reference.target)) continue;
      warnings.push(problemOf(type, index, document, detailOf(reference.path, danglingText(reference))));
    }
  }
  return warnings;
}

/** A rule that may be one of a filter does not vanish: see `orphanedRules`. */
function danglingText({ type, target }: RuleReference): Wording {
  if (type !== 'automation_projects') return worded`refers to ${{ type }} ${{ target }}, which does not exist`;
  return /^[0-9a-f]{24}$/i.test(target)
    ? worded`refers to ${{ type }} ${{ target }}, which does not exist; while the rule is enabled, inventories and exports fail until that project is imported or the rule has another one`
    : worded`refers to ${{ type }} ${{ target }}, which does not exist; the rule belongs to no inventory until it does`;
}

/** Returns the problems of a document that is stored all the same, with their consequences. */
export function restingProblems(
  type: RuleType,
  document: RuleDocument,
  problems: readonly ErrorDetail[],
): readonly ErrorDetail[] {
  const follows = effectOf(type, document, problems);
  return problems.map((problem) => detailOf(problem.path, worded`${{ problem: saidAt(problem) }}; ${{ follows }}`));
}

function effectOf(type: RuleType, document: RuleDocument, problems: readonly ErrorDetail[]): Wording {
  if (!memberFlag(document, 'enabled'))
    return worded`it is stored as it came, disabled, and can be enabled once that is right`;
  if (isListRule(document) && problems.every(({ path }) => path === 'list_source'))
    return worded`it is stored unchanged, and makes nothing until that is corrected`;
  if (type.id === AUTORULES) return worded`it is stored unchanged, and makes no rules until that is corrected`;
  const stage = type.evaluation?.stage;
  if (stage === 'playbooks') return worded`it is stored unchanged, and runs nothing until that is corrected`;
  const whose = whoFails(type);
  return worded`it is stored as it came, and while it is enabled ${{ whose }} fail: correct it, or disable it`;
}

function whoFails({ evaluation }: RuleType): Wording {
  if (evaluation?.target !== undefined)
    return worded`exports of its project to accounts of type ${{ type: evaluation.target }}`;
  return evaluation?.stage === 'attributes'
    ? worded`all inventories and exports`
    : worded`inventories and exports of its project`;
}

/**
 * Returns warnings for roles of another product or version: they grant nothing here, and are kept for programs that know them.
 */
export function unknownRoles(candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    const unknown = (type.rolesNamed?.(document) ?? []).filter(({ role }) => !isRole(role));
    return unknown.map(({ path, role }) => {
      const known = API_ROLES.join(', ');
      const said = worded`"${{ role }}" is not a known role and grants nothing; known roles: ${{ known }}`;
      return problemOf(type, index, document, detailOf(path, said));
    });
  });
}

/** The plugin that brings the job may come later; until then the job fails when its turn comes. */
export function unknownJobs({ plugins }: RuleServices, candidates: readonly Candidate[]): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    return (type.jobsNamed?.(document) ?? []).flatMap(({ path, command }) => {
      const message = missingJob(plugins, command);
      if (message === undefined) return [];
      return problemOf(type, index, document, detailOf(path, worded`${{ message }}; the job will fail`));
    });
  });
}

/** Kept, since macros of rules may name them; what reads the account refuses what it does not know, rather than doing less. */
export function unknownOptions(
  { plugins }: RuleServices,
  candidates: readonly Candidate[],
): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document }) => {
    const named = type.optionsNamed?.(document);
    if (named === undefined) return [];
    const { accountType, options } = named;
    const source = plugins.source(accountType)?.item;
    const known = (source ?? plugins.target(accountType)?.item)?.options;
    if (!(known instanceof z.ZodObject)) return [];
    const aliases = aliasesOf(known);
    const isPassedOver = (name: string) => source?.isLocal === true && HTTP_OPTIONS.has(name);
    return options
      .filter(({ name }) => !Object.hasOwn(known.shape, name) && !aliases.has(name) && !isPassedOver(name))
      .map(({ path, name }) => {
        const said = worded`"${{ name }}" is not an option of ${{ type: accountType }} accounts here; the account cannot be read until it is removed, with --set "${{ name }}="`;
        return problemOf(type, index, document, detailOf(path, said));
      });
  });
}

/**
 * Returns warnings for waiting documents: they are stored all the same, but what they would make the machine do needs someone who
 * may decide it.
 */
export function pendingCandidates(
  candidates: readonly Candidate[],
  settled: readonly SettledChange[],
): readonly DocumentProblem[] {
  return candidates.flatMap(({ type, index, document, write: entry, stillWaits }, position) => {
    const { confirmedBy, name } = entry;
    const waits = stillWaits ? importWaitsMessage({ type: type.id, name }) : settled[position]?.waits;
    if (waits !== undefined) return [problemOf(type, index, document, detailOf('', waits))];
    if (confirmedBy !== null || !isPending(type, { document: entry.document, confirmedBy })) return [];
    return [problemOf(type, index, document, detailOf('', waitsMessage({ type: type.id, name })))];
  });
}

export function countedProblem({ type, index, document, write: { name } }: Candidate): DocumentProblem {
  const message = `comes from another installation: what it matches when it is first evaluated here counts as fired, and nothing runs for that. "muster playbook fire --dry-run" counts it before; "muster playbook fire-existing ${shellWord(name)}", or an import with fire_existing_matches (--fire-existing), lets it fire`;
  return problemOf(type, index, document, { path: '', message });
}
