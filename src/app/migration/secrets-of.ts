import { memberText, ownMember } from '../../kit/document/members.ts';
import { isCheckedHash } from '../../kit/users/password-hash.ts';
import type { RuleDocument } from '../../ports/index.ts';
import type { MaintenanceServices } from '../maintenance/services.ts';
import type { ExportedDocuments } from './decisions/exported-document.ts';
import type { SecretState } from './words.ts';

/** A secret of the export, and what happens to it. */
export interface ExportedSecret {
  readonly rule_type: string;
  readonly name: string;
  readonly member: string;
  readonly state: SecretState;
}

/** Passwords of accounts, of systems and of people, in the order of the export. */
export function secretsOf(services: MaintenanceServices, documents: ExportedDocuments): readonly ExportedSecret[] {
  return ['accounts', 'cmk_passwords', 'users'].flatMap((type) =>
    (documents.get(type) ?? []).flatMap((exported) => {
      const found = type === 'users' ? ofUser(exported.document) : ofSystem(services, exported.document);
      return found.map((secret) => ({ rule_type: type, name: exported.name, ...secret }));
    }),
  );
}

type Secret = Pick<ExportedSecret, 'member' | 'state'>;

function ofSystem({ secrets }: MaintenanceServices, document: RuleDocument): readonly Secret[] {
  if (memberText(document, 'password') !== '') return [{ member: 'password', state: 'sealed' }];
  const text = memberText(document, 'password_crypted');
  if (text === '') return [];
  const isOurs = secrets.placeOf(text) !== undefined;
  return [{ member: 'password_crypted', state: isOurs ? 'works' : 'enter' }];
}

function ofUser(document: RuleDocument): readonly Secret[] {
  const found: Secret[] = [{ member: 'pwdhash', state: passwordState(document) }];
  if (memberText(document, 'tfa_secret') !== '') found.push({ member: 'tfa_secret', state: 'sealed' });
  const tokens = ownMember(document, 'api_tokens');
  if (Array.isArray(tokens) && tokens.length > 0) found.push({ member: 'api_tokens', state: 'works' });
  return found;
}

function passwordState(document: RuleDocument): SecretState {
  if (memberText(document, 'password') !== '') return 'sealed';
  const hash = memberText(document, 'pwdhash');
  if (hash === '') return 'missing';
  return isCheckedHash(hash) ? 'works' : 'reset';
}
