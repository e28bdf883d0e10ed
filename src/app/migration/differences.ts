import {
  flagValue,
  memberFlag,
  memberObjects,
  memberReference,
  memberText,
  ownMember,
} from '../../kit/document/members.ts';
import { HTTP_OPTIONS } from '../../kit/options/http-options.ts';
import { counted } from '../../kit/words/amounts.ts';
import { AppError, type RuleDocument, StoredJson } from '../../ports/index.ts';
import { optionsOf } from '../accounts/account-settings.ts';
import { accountKind, checkAccountOptions } from '../accounts/account-types.ts';
import { relationsOf } from '../hosts/documents/host-document-members.ts';
import { archiveOf } from '../hosts/documents/host-documents.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import { outOfService } from '../rules/engine/life-cycle.ts';
import type { ExportedDocument, ExportedDocuments } from './decisions/exported-document.ts';
import { hostsWithAnsibleLabels, hostsWithTemplateText } from './decisions/host-differences.ts';
import { filtersOfMembers, objectComparisons } from './decisions/nested-labels.ts';
import { inOrder } from './decisions/projects.ts';
import {
  attributesInTurn,
  exactFilters,
  firingOnRenamed,
  groupSetters,
  hidersBesideAges,
  listRules,
  rewritesInTurn,
  textsOfLines,
  unfilteredProjects,
} from './decisions/rule-differences.ts';
import { DIFFERENCES, type DifferenceTopic } from './words.ts';

interface DifferingDocument {
  readonly rule_type: string;
  readonly name: string;
  readonly line?: number;
  readonly message?: string;
}

/** Something that behaves differently here, and the documents of the export that it is about. */
export interface Difference {
  readonly topic: DifferenceTopic;
  readonly what: string;
  readonly action: string;
  readonly documents: readonly DifferingDocument[];
}

/**
 * Returns the contents that an import accepts but this version handles differently. Facts about types and hosts come from the
 * code that decides them, so they cannot become outdated here.
 */
export function differencesOf(services: MaintenanceServices, documents: ExportedDocuments): readonly Difference[] {
  const found: Readonly<Record<DifferenceTopic, readonly DifferingDocument[]>> = {
    no_filter: unfilteredProjects(documents).map((name) => ({ rule_type: 'automation_projects', name })),
    empty_values: shown(exactFilters(documents)),
    attributes_in_turn: shown(attributesInTurn(documents)),
    rewrites_in_turn: shown(rewritesInTurn(documents)),
    firing_on_renamed: shown(firingOnRenamed(documents)),
    groups: shown(groupSetters(documents)),
    pasted_lists: shown(LIST_TYPES.filter(lacks('list_source')).flatMap((type) => listRules(documents, type))),
    hidden_hosts: shown(hidersBesideAges(documents)),
    nested_labels: shown(filtersOfMembers(documents)),
    compared_objects: shown(objectComparisons(documents)),
    line_breaks: shown(textsOfLines(documents)),
    inactive_hosts: shown(
      services.config.CMDB_MODE ? [] : all(documents, 'host_objects').filter(({ document }) => isInactive(document)),
    ),
    archived_hosts: shown(all(documents, 'host_objects').filter((host) => comesBack(services, host.document))),
    relations: shown(all(documents, 'host_objects').filter(({ document }) => losesRelations(document))),
    template_text: shown(services.config.INVENTORY_TEMPLATE_TEXT === 'serve' ? [] : hostsWithTemplateText(documents)),
    ansible_labels: shown(
      services.config.INVENTORY_ANSIBLE_LABELS === 'serve' ? [] : hostsWithAnsibleLabels(documents),
    ),
    account_types: shown(
      all(documents, 'accounts').filter(({ document }) => accountKind(services, typeOf(document)) === 'unknown'),
    ),
    account_options: optionProblems(services, all(documents, 'accounts')),
    http_options: shown(all(documents, 'accounts').filter(({ document }) => hasHttpOptions(document))),
    archive_days: all(documents, 'accounts').flatMap((account) => purgesOtherwise(services, account)),
    restricted_accounts: shown(
      ['accounts']
        .filter(lacks('restrict_to'))
        .flatMap((type) => all(documents, type))
        .filter(({ document }) => memberText(document, 'restrict_to') !== ''),
    ),
    playbooks: shown(inOrder(all(documents, 'automation_playbook_fire'))),
  };
  return (Object.keys(DIFFERENCES) as DifferenceTopic[])
    .filter((topic) => found[topic].length > 0)
    .map((topic) => ({ topic, ...DIFFERENCES[topic], documents: found[topic] }));

  function lacks(member: string): (type: string) => boolean {
    return (type) => !understands(services, type, member);
  }
}

/** Types with an engine here that may run over a pasted list in existing installations. */
const LIST_TYPES: readonly string[] = ['automation_customvars', 'automation_playbook_fire'];

/** Whether a type of this version has the member, and does not merely keep it. */
function understands({ plugins }: Pick<MaintenanceServices, 'plugins'>, type: string, member: string): boolean {
  const properties = plugins.ruleType(type)?.schema.properties;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, member);
}

function all(documents: ExportedDocuments, type: string): readonly ExportedDocument[] {
  return documents.get(type) ?? [];
}

function shown(documents: readonly ExportedDocument[]): readonly DifferingDocument[] {
  return documents.map(named);
}

function named({ type, name, line }: ExportedDocument): DifferingDocument {
  return { rule_type: type, name, ...(line === undefined ? {} : { line }) };
}

/** Archived there, and active by what an import reads of the document. */
function comesBack({ clock }: MaintenanceServices, document: RuleDocument): boolean {
  const wasArchived =
    memberText(document, 'lifecycle_state') === 'archived' || (ownMember(document, 'deleted_at') ?? null) !== null;
  return wasArchived && archiveOf(document, clock.now()) === null;
}

/** An option without a value is not set; the check of certificates is on by itself. */
function hasHttpOptions(document: RuleDocument): boolean {
  return Object.entries(optionsOf(document)).some(
    ([name, value]) => HTTP_OPTIONS.has(name) && value !== '' && !(name === 'verify_cert' && flagValue(value) === true),
  );
}

/** Days after which maintenance of existing installations purged archived hosts, unless an account set another number. */
const PURGED_AFTER_DAYS = 30;

function purgesOtherwise({ config }: MaintenanceServices, account: ExportedDocument): readonly DifferingDocument[] {
  const { document } = account;
  const written = optionsOf(document).purge_archived_after_days ?? '';
  if (typeOf(document) !== 'maintenance' && written === '') return [];
  const days = written === '' ? PURGED_AFTER_DAYS : Number(written);
  if (days === config.ARCHIVE_DAYS) return [];
  return [{ ...named(account), message: days === 0 ? 'never' : `after ${counted(days, 'day')}` }];
}

function isInactive(document: RuleDocument): boolean {
  return outOfService({ members: StoredJson.ofValue(document) }) !== undefined;
}

function losesRelations(document: RuleDocument): boolean {
  return memberObjects(document, 'relations').length > relationsOf(document).length;
}

/** Documents of existing installations write `typ`. */
function typeOf(document: RuleDocument): string {
  return memberText(document, 'typ') || memberText(document, 'type');
}

/** Why a run of an account would refuse its options; those of its parent in the export count too. */
function optionProblems(
  services: MaintenanceServices,
  accounts: readonly ExportedDocument[],
): readonly DifferingDocument[] {
  const byId = new Map(accounts.map(({ document }) => [memberReference(document, '_id'), document]));
  return accounts.flatMap((account) => {
    const { document } = account;
    const type = typeOf(document);
    if (!memberFlag(document, 'enabled') || accountKind(services, type) === 'unknown') return [];
    const parent = memberFlag(document, 'is_child') ? byId.get(memberReference(document, 'parent')) : undefined;
    try {
      checkAccountOptions(services, type, { ...(parent && optionsOf(parent)), ...optionsOf(document) });
      return [];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return [{ ...named(account), message: error.message }];
    }
  });
}
