import { isDeepStrictEqual } from 'node:util';
import { placed, saidAt, worded } from '../../kit/worded.ts';
import { AppError, type ExternalPerson, type RuleDocument } from '../../ports/index.ts';
import { type Caller, localOperator } from '../kernel/caller.ts';
import { documentProblems } from '../rules/engine/document-problems.ts';
import { changeDocument, storeDocument } from '../rules/transfer/store-document.ts';
import { actingRecords } from '../rules/trust/held-versions.ts';
import { isPending } from '../rules/trust/pending.ts';
import { newUserNameSchema } from '../users/require-user.ts';
import type { User } from '../users/user.ts';
import { type GroupMapping, type MappedRights, mappingOf, NO_RIGHTS, readMapping } from './decisions/group-mapping.ts';
import type { OpenedMethod } from './opened-method.ts';
import type { LoginServices } from './services.ts';

/** The type of documents that say which group may do what. */
const MAPPINGS = 'sign_in_groups';

/**
 * Returns the user of a person whom another system vouches for, with the rights that the groups give now. Throws `forbidden` for
 * a person who is not let in, and removes the rights that an earlier group gave.
 */
export async function admit(services: LoginServices, opened: OpenedMethod, person: ExternalPerson): Promise<User> {
  const { account, options } = opened;
  const login = { method: account.id, subject: person.subject };
  if (person.subject === '' || person.name === '') {
    throw new AppError('forbidden', worded`${{ name: account.name }} does not say who you are; ask an administrator`);
  }
  const known = await services.users.byExternalLogin(login);
  const mapping = await mappingFor(services, opened, person);
  if (mapping?.undecided !== undefined) {
    // A mapping that does not count must neither give nor remove rights: a known user keeps theirs.
    throw new AppError(
      known === undefined ? 'forbidden' : 'unavailable',
      worded`it is not known what your groups may do: ${{ why: mapping.undecided }}`,
    );
  }
  if (mapping === undefined) {
    if (known !== undefined) await withdraw(services, opened, known);
    throw new AppError(
      'forbidden',
      worded`none of your groups may use this service; ask an administrator to map one of them`,
    );
  }
  if (known === undefined && !options.create_users) {
    throw new AppError('forbidden', worded`there is no user for you yet; ask an administrator to create one`);
  }
  const user =
    known === undefined
      ? await createUser(services, opened, person, mapping.rights)
      : await updateUser(services, opened, { user: known, person, rights: mapping.rights });
  if (user.disabled) throw new AppError('forbidden', worded`your user is disabled; ask an administrator`);
  if (user.record.confirmedBy === null) {
    throw new AppError('forbidden', worded`your user waits for an administrator, who has to confirm it`);
  }
  await services.storage.signIns.vouch(user.id, services.clock.now());
  return user;
}

/** Removes all rights from a user whom the other system no longer vouches for, and ends their sessions. */
export async function withdraw(services: LoginServices, opened: OpenedMethod, user: User): Promise<void> {
  await services.storage.signIns.withdraw(user.id);
  await services.sessions.endOfUser(user.id);
  const document = user.record.document.value;
  const without = { ...document, ...NO_RIGHTS };
  if (isDeepStrictEqual(document, without)) return;
  await changeDocument(
    services,
    callerOf(services, opened),
    'users',
    user.record,
    (latest) => ({ ...latest, ...NO_RIGHTS }),
    {
      keepsConfirmation: true,
    },
  );
}

export async function mappingFor(
  services: LoginServices,
  { account, type }: Pick<OpenedMethod, 'account' | 'type'>,
  { groups }: Pick<ExternalPerson, 'groups'>,
): Promise<GroupMapping | undefined> {
  const sameGroup = type.sameGroup ?? ((a, b) => a === b);
  return mappingOf(await mappings(services), { method: account, groups, sameGroup });
}

/**
 * The enabled mappings in their order, as confirmed last by an administrator. One that waits and never acted is left out:
 * otherwise any author of rules could lock out every user. A broken one is kept and states why it decides nothing: people whom it
 * may restrict are not let in by a later one.
 */
async function mappings({ storage, plugins }: LoginServices): Promise<readonly GroupMapping[]> {
  const type = plugins.ruleType(MAPPINGS);
  if (type === undefined) return [];
  return (await actingRecords(storage.rules, type)).flatMap((record) => {
    const mapping = readMapping(record);
    if (mapping === undefined) return [];
    if (isPending(type, record)) return [];
    const [problem] = documentProblems(record.document.value, type, plugins);
    if (problem === undefined) return mapping;
    const undecided = worded`${{ type: MAPPINGS }} ${{ name: record.name }} cannot be used: ${{ problem: placed(problem) }}`;
    return { ...mapping, undecided };
  });
}

async function createUser(
  services: LoginServices,
  opened: OpenedMethod,
  { subject, name, email }: ExternalPerson,
  rights: MappedRights,
): Promise<User> {
  const login = { method: opened.account.id, subject };
  const named = newUserNameSchema.safeParse(name);
  if (!named.success) {
    const [problem] = named.error.issues;
    throw new AppError(
      'forbidden',
      worded`${{ account: opened.account.name }} gives you a name that ${{ problem: saidAt({ path: '', message: problem?.message ?? '' }) }}; ask an administrator`,
    );
  }
  // The existing user of that name may be another person.
  if ((await services.users.byName(name)) !== undefined) throw taken(name);
  const document: RuleDocument = {
    name,
    email,
    pwdhash: '',
    ...documentOf(rights),
    disabled: false,
    api_tokens: [],
    sign_in: login,
    date_added: { $date: services.clock.now().getTime() },
  };
  try {
    await storeDocument(services, callerOf(services, opened), 'users', document, 'create');
  } catch (error) {
    // Two browsers at once, or a name that looks like that of another user.
    if (!(error instanceof AppError) || !['conflict', 'invalid_input'].includes(error.code)) throw error;
    const other = await services.users.byExternalLogin(login);
    if (other === undefined)
      throw error.code === 'conflict'
        ? taken(name)
        : new AppError('forbidden', worded`no user can be made for you: ${{ message: error.message }}`, {
            cause: error,
          });
    return other;
  }
  const created = await services.users.byExternalLogin(login);
  if (created === undefined) throw taken(name);
  return created;
}

async function updateUser(
  services: LoginServices,
  opened: OpenedMethod,
  { user, person, rights }: { readonly user: User; readonly person: ExternalPerson; readonly rights: MappedRights },
): Promise<User> {
  const members = { ...documentOf(rights), ...(person.email === '' ? {} : { email: person.email }) };
  const document = user.record.document.value;
  if (isDeepStrictEqual({ ...document, ...members }, document)) return user;
  const caller = callerOf(services, opened);
  await changeDocument(services, caller, 'users', user.record, (latest) => ({ ...latest, ...members }), {
    keepsConfirmation: true,
  });
  return (await services.users.byId(user.id)) ?? user;
}

function documentOf(rights: MappedRights): RuleDocument {
  return {
    api_roles: [...rights.api_roles],
    global_admin: rights.global_admin,
    readonly: rights.readonly,
    restrict_to_accounts: [...rights.restrict_to_accounts],
    restrict_to_templates: [...rights.restrict_to_templates],
  };
}

function taken(name: string): AppError {
  return new AppError(
    'forbidden',
    worded`there is a user ${{ name }} here already, who logs in another way and is not taken over; ask an administrator to rename or delete that user`,
  );
}

/** In the audit log, what groups give and take is done by the method. */
function callerOf(services: LoginServices, { account }: OpenedMethod): Caller {
  return localOperator({
    name: `sign-in ${account.name}`,
    path: '/admin',
    requestId: services.newId(),
    entrance: 'admin',
  });
}
