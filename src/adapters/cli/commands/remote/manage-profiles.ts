import type { Column } from '../../../../app/kernel/print.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { CommandContext } from '../../context.ts';
import { type ListOptions, listRequestOf } from '../../list-options.ts';
import { LOCAL, readProfiles, writeProfiles } from '../../remote/profiles.ts';

interface ShownProfile {
  readonly profile: string;
  readonly address: string;
  readonly user: string;
  readonly used: boolean;
}

const COLUMNS: readonly Column<ShownProfile>[] = [
  { header: 'profile', value: ({ profile }) => profile, paint: (text, _profile, colours) => colours.bold(text) },
  { header: 'address', value: ({ address }) => address },
  { header: 'user', value: ({ user }) => user },
  { header: 'used', value: ({ used }) => (used ? 'yes' : '') },
];

export async function listProfiles(context: CommandContext, options: ListOptions): Promise<void> {
  const { current, profiles } = await readProfiles(context.terminal);
  const shown = Object.entries(profiles).map(
    ([profile, { url, user }]): ShownProfile => ({ profile, address: url, user, used: profile === current }),
  );
  await context.listing(
    listRequestOf(options),
    () => shown,
    () => context.table(shown, COLUMNS, 'There are no profiles; "muster login <address>" makes one.'),
  );
}

export async function useProfile(context: CommandContext, name: string, options: { json?: true }): Promise<void> {
  const known = await readProfiles(context.terminal);
  if (name !== LOCAL && !Object.hasOwn(known.profiles, name)) throw unknownProfile(name);
  await writeProfiles(context.terminal, { ...known, current: name });
  if (options.json) return context.json({ used: name });
  const where = name === LOCAL ? 'the store of this machine' : (known.profiles[name]?.url ?? name);
  context.note(`Commands work with ${where} from now on.`);
}

export async function removeProfile(context: CommandContext, name: string, options: { json?: true }): Promise<void> {
  const { current, profiles } = await readProfiles(context.terminal);
  const { [name]: removed, ...others } = profiles;
  if (removed === undefined) throw unknownProfile(name);
  const left = current === name || current === undefined ? {} : { current };
  await writeProfiles(context.terminal, { ...left, profiles: others });
  if (options.json) return context.json({ removed: name });
  context.note(`Removed ${name}. Its token stays valid; "muster user token revoke" revokes it.`);
}

function unknownProfile(name: string): AppError {
  return new AppError('not_found', `there is no profile ${name}; "muster profile list" shows them`);
}
