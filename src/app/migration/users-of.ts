import { memberFlag, memberList } from '../../kit/document/members.ts';
import type { RuleDocument } from '../../ports/index.ts';
import { isRole } from '../kernel/caller.ts';
import type { ExportedDocuments } from './decisions/exported-document.ts';

/** A user of the export, and whether the user reaches more or less here. */
export interface ExportedUser {
  readonly name: string;
  readonly reaches: 'same' | 'less' | 'more' | 'other';
  /** Why, a sentence each. */
  readonly reasons: readonly string[];
}

export function usersOf(documents: ExportedDocuments): readonly ExportedUser[] {
  return (documents.get('users') ?? []).map(({ name, document }) => {
    const more = gains(document);
    const less = losses(document);
    const reaches = more.length > 0 ? (less.length > 0 ? 'other' : 'more') : less.length > 0 ? 'less' : 'same';
    return { name, reaches, reasons: [...more, ...less] };
  });
}

function gains(document: RuleDocument): readonly string[] {
  const reasons: string[] = [];
  const roles = texts(document, 'api_roles').filter(isRole);
  if (roles.length > 0 && texts(document, 'roles').length === 0 && !memberFlag(document, 'global_admin')) {
    reasons.push(`More: the roles ${roles.join(', ')} open the rooms of the pages too, not REST alone.`);
  }
  return reasons;
}

function losses(document: RuleDocument): readonly string[] {
  const reasons: string[] = [];
  const unknown = texts(document, 'api_roles').filter((role) => !isRole(role));
  if (unknown.length > 0) reasons.push(`Less: the role ${unknown.join(', ')} is not known here, so it grants nothing.`);
  const isWithoutRoles = texts(document, 'api_roles').length === 0 && !memberFlag(document, 'global_admin');
  if (isWithoutRoles && texts(document, 'roles').length > 0) {
    reasons.push(
      'Less: roles of the old pages grant nothing; give the user those of api_roles, which open pages and REST.',
    );
  }
  if (texts(document, 'restrict_to_accounts').length > 0) {
    reasons.push('Less: the restriction to accounts holds for logs, rules and tools too.');
  }
  if (memberList(document, 'restrict_to_templates').length > 0) {
    reasons.push(
      'Less: the restriction to templates holds for logs, accounts, tools and the far ends of relations too, and new hosts are refused.',
    );
  }
  return reasons;
}

function texts(document: RuleDocument, member: string): readonly string[] {
  return memberList(document, member).filter((item) => typeof item === 'string');
}
