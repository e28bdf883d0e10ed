import { hostname } from 'node:os';
import { createToken } from '../../../../app/users/operations/create-token.ts';
import { AppError } from '../../../../ports/errors.ts';
import { askSecret } from '../../ask-secret.ts';
import type { CommandContext } from '../../context.ts';
import { readSecretLine } from '../../input-text.ts';
import { connectionOf, serviceAddress, tokenOf } from '../../remote/choose.ts';
import type { RemoteLogin } from '../../remote/connection.ts';
import { LOCAL, type Profile, readProfiles, writeProfiles } from '../../remote/profiles.ts';
import { canAsk, secretFromPrompt, secretFromStdin } from '../../secrets.ts';
import { UsageError } from '../../usage-error.ts';

interface LoginOptions {
  readonly user?: string;
  readonly passwordStdin?: true;
  readonly json?: true;
}

/** Keeps a token only when the service took it. */
export async function loginCommand(context: CommandContext, address: string, options: LoginOptions): Promise<void> {
  const { where, terminal } = context;
  if (where.url !== undefined) throw new UsageError('give the address without --url');
  const base = serviceAddress(address);
  const name = where.profile ?? base.hostname.replace(/^\[|\]$/g, '');
  if (!/^[A-Za-z0-9][\w.:-]*$/.test(name) || name === LOCAL) {
    throw new UsageError(
      `a profile cannot be called ${name}; use letters, digits, dots and minus signs, and not the word local`,
    );
  }
  const known = await readProfiles(terminal);
  const place = {
    url: base.href,
    ...(where.caFile !== undefined && { ca_file: where.caFile }),
    ...(where.plainHttp && { plain_http: true as const }),
  };
  const connect = async (login: RemoteLogin) => {
    const connection = await connectionOf(terminal, { ...where, login }, place);
    return context.connectTo(connection);
  };
  // Whether credentials may be shown there is found out before anybody types one.
  await connectionOf(terminal, { ...where, login: { kind: 'token', token: '' } }, place);
  const token = options.user === undefined ? await givenToken(context) : await madeToken(context, options, connect);
  const { user, roles, version } = await (await connect({ kind: 'token', token })).greeting();
  const profile: Profile = { ...place, token, user };
  const path = await writeProfiles(terminal, { current: name, profiles: { ...known.profiles, [name]: profile } });
  const { token: _, ...shown } = profile;
  if (options.json) return context.json({ profile: name, ...shown, roles, version });
  context.note(`Logged in at ${base.href} (Muster ${version}) as ${user}; the token is in ${path}.`);
  context.note(
    `Commands work with it from now on; "muster profile use ${LOCAL}" goes back to the store of this machine.`,
  );
}

async function givenToken(context: CommandContext): Promise<string> {
  if (context.where.tokenStdin) return tokenOf(await readSecretLine(context.terminal));
  const variable = context.terminal.variable('MUSTER_TOKEN');
  if (variable) return tokenOf(variable);
  if (!canAsk(context)) throw new UsageError('there is no terminal to ask for the token; use --token-stdin');
  return tokenOf(await askSecret(context.terminal, 'Token ("muster user token create" makes one)'));
}

async function madeToken(
  context: CommandContext,
  { user = '', passwordStdin }: LoginOptions,
  connect: (login: RemoteLogin) => ReturnType<CommandContext['connectTo']>,
): Promise<string> {
  const password = passwordStdin
    ? await secretFromStdin(context)
    : await secretFromPrompt(context, `Password of ${user}`);
  const service = await connect({ kind: 'password', user, password });
  const { operations } = await service.greeting();
  if (!operations.includes(createToken.name)) {
    throw new AppError(
      'role_missing',
      `${user} may not make tokens; have an administrator make one, and use --token-stdin`,
    );
  }
  const label = `muster login on ${hostname()}`;
  const { token } = await service.value(createToken, { name: user, label }, { signal: context.terminal.signal });
  return token;
}
