import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../fixtures/cmdbsyncer-4.4.0/', import.meta.url);

/** A request to the reference, and what it answered. */
interface RecordedAnswer {
  readonly user: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
}

/** What is known of a rule type of the reference: see README.md. */
interface ReferenceType {
  readonly nameMember: string | null;
  readonly uniqueMembers: readonly string[];
  readonly requiredMembers: readonly string[];
  readonly secrets: Readonly<Record<string, 'fernet' | 'scrypt' | 'sha256' | 'clear'>>;
  readonly references: Readonly<Record<string, { readonly type: string; readonly by: string }>>;
  readonly pastedList: boolean;
  readonly members: Readonly<Record<string, unknown>>;
}

interface ReferenceFacts {
  readonly product: string;
  readonly types: Readonly<Record<string, ReferenceType>>;
  readonly jobs: Readonly<Record<string, string>>;
}

export function fixturePath(name: string): string {
  return fileURLToPath(new URL(name, folder));
}

/** A recorded file as text, unpacked where it is packed. */
export function fixtureText(name: string): string {
  const content = readFileSync(fixturePath(name));
  return name.endsWith('.gz') ? gunzipSync(content).toString() : content.toString();
}

export function fixtureJson(name: string): unknown {
  return JSON.parse(fixtureText(name));
}

export function recordedAnswers(name: string): RecordedAnswer[] {
  return fixtureJson(name) as RecordedAnswer[];
}

/** The documents of an export, by ident, in the order of the file. */
export function exportedDocuments(name: string): Map<string, Record<string, unknown>[]> {
  const byType = new Map<string, Record<string, unknown>[]>();
  let documents: Record<string, unknown>[] = [];
  for (const line of fixtureText(name).split('\n')) {
    if (line === '') continue;
    const document = JSON.parse(line) as Record<string, unknown>;
    if (typeof document.rule_type === 'string' && Object.keys(document).length === 1) {
      documents = [];
      byType.set(document.rule_type, documents);
    } else documents.push(document);
  }
  return byType;
}

export function referenceFacts(): ReferenceFacts {
  return JSON.parse(readFileSync(new URL('./rule-types.json', import.meta.url), 'utf8')) as ReferenceFacts;
}
