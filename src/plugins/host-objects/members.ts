import { ownMember } from '../../kit/document/members.ts';
import { isJsonObject } from '../../kit/json/json-object.ts';
import { phrase } from '../../kit/worded.ts';
import type { ErrorDetail } from '../../ports/errors.ts';
import type { RuleDocument } from '../../ports/rule.ts';
import type { RuleMembers } from '../../ports/rule-member.ts';

export const hostMembers: RuleMembers = {
  object_type: { kind: 'text', description: 'Its type; `host` for hosts.' },
  labels: { kind: 'object', description: 'Attributes by name: texts, numbers, booleans, null, or lists of those.' },
  inventory: { kind: 'object', description: 'Sections by key, each an object.' },
};

/** Labels are flat, sections are objects, and neither has names that the stores or the interface refuse. */
export function hostProblems(document: RuleDocument): readonly ErrorDetail[] {
  return [...labelProblems(document), ...inventoryProblems(document)];
}

export function labelProblems(document: RuleDocument): readonly ErrorDetail[] {
  const labels = ownMember(document, 'labels');
  if (!isJsonObject(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]): ErrorDetail[] => {
    const path = `labels.${key}`;
    if (key === '' || key.startsWith('$')) return [{ path, message: phrase`a key must not be empty or begin with $` }];
    const items = Array.isArray(value) ? value : [value];
    const isFlat = items.every((item) => typeof item !== 'object' || item === null);
    return isFlat ? [] : [{ path, message: phrase`must be a text, number, boolean, null, or a list of those` }];
  });
}

function inventoryProblems(document: RuleDocument): readonly ErrorDetail[] {
  const inventory = ownMember(document, 'inventory');
  if (!isJsonObject(inventory)) return [];
  return Object.entries(inventory).flatMap(([key, section]): ErrorDetail[] => {
    const path = `inventory.${key}`;
    if (key === '' || key.startsWith('$') || key.includes('.')) {
      return [{ path, message: phrase`a section key must not be empty, begin with $ or contain a dot` }];
    }
    return isJsonObject(section) ? [] : [{ path, message: phrase`must be an object` }];
  });
}
