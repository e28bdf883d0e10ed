import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { OfferedName } from '../../offered-operations.ts';
import type { LoginAnswer, LogoutAnswer, SessionAnswer } from '../../routes.ts';
import type { SignInAnswer } from '../../sign-in-routes.ts';
import { below } from './below.ts';
import { type CallError, request } from './call.ts';

/** The current user, and what they may do. */
export type Session = SessionAnswer;

const PATH = below('/admin/api/session');
export const SESSION_KEY = ['session'];

/** Returns `null` if the user is not logged in. */
export function useSessionQuery() {
  return useQuery<Session | null, CallError>({
    queryKey: SESSION_KEY,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await (await request(PATH, {})).json()) as Session | null,
  });
}

interface Login {
  readonly name: string;
  readonly password: string;
  /** The account that the person logs in with; absent: a password of this service. */
  readonly method?: string;
}

/** Returns the ways to log in other than by passwords of this service. */
export function useSignIn() {
  return useQuery<SignInAnswer, CallError>({
    queryKey: ['sign-in'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await (await request(below('/admin/api/sign-in'), {})).json()) as SignInAnswer,
  });
}

/** Proof that a user presents to log in. */
export type Shown =
  | Login
  | { readonly ticket: string; readonly code: string }
  | { readonly ticket: string; readonly recovery_code: string }
  | { readonly break_glass: string }
  | { readonly first_user: string; readonly name: string; readonly password: string };

/** Sends the proof to the service. A successful login continues with `useEnter`. */
export function useLogin() {
  return useMutation<LoginAnswer, CallError, Shown>({ mutationFn: (shown) => post(PATH, shown) });
}

/** Asks the browser for a passkey, and shows that. */
export function usePasskeyLogin() {
  return useMutation<LoginAnswer, CallError>({
    mutationFn: async () => {
      const { ticket, options } = await post<PasskeyQuestion>(`${PATH}/passkey`, {});
      const { askForPasskey } = await import('./passkeys.ts');
      return post(PATH, { ticket, passkey: await askForPasskey(options) });
    },
  });
}

/** Opens the pages for the logged-in user. */
export function useEnter(): (session: Session) => void {
  const queries = useQueryClient();
  return (session) => queries.setQueryData(SESSION_KEY, session);
}

interface PasskeyQuestion {
  readonly ticket: string;
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  return (await (await request(path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Answer;
}

/** The document is loaded again: nothing seen or typed stays in the browser's memory. */
export function useLogout() {
  return useMutation<LogoutAnswer, CallError>({
    mutationFn: async () => (await (await request(PATH, { method: 'DELETE' })).json()) as LogoutAnswer,
    onSuccess: ({ go_to }) => window.location.assign(go_to ?? below('/admin/')),
  });
}

const SessionContext = createContext<Session | undefined>(undefined);
export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('no page is drawn before someone is logged in');
  return session;
}

/** Whether the program has the operation: its feature may have been left out. */
export function has({ refused }: Session, name: OfferedName): boolean {
  return refused[name]?.why !== 'absent';
}

/** Whether the person may call the operation, as the service decides it. */
export function may({ refused }: Session, name: OfferedName): boolean {
  return refused[name] === undefined;
}
