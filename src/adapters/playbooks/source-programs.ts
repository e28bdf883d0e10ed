import { resolve } from 'node:path';
import { worded } from '../../kit/worded.ts';
import { AppError, type ProgramAccess } from '../../ports/index.ts';

export interface SourceProgramsOptions {
  /** Relative paths of programs start here. */
  readonly workingDirectory: string;
  /** Of this process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of further variables that programs get of it, see `passedEnvironment`. */
  readonly passed: readonly string[];
}

/** Programs for accounts of the operator. What runs them is loaded with the first one. */
export function sourcePrograms({ workingDirectory, environment, passed }: SourceProgramsOptions): ProgramAccess {
  return {
    sources: ({ anywhere, advice }) => ({
      async run(call, { signal }) {
        if (!anywhere) {
          throw new AppError(
            'failed',
            worded`the account has a program run on this machine, which is for accounts of its operator alone: ${{ advice }}`,
          );
        }
        const { passedEnvironment, withUtf8 } = await import('./ansible/passed-environment.ts');
        const { runToEnd } = await import('./run-to-end.ts');
        const command = call.command.includes('/') ? resolve(workingDirectory, call.command) : call.command;
        const env = { ...withUtf8(passedEnvironment(environment, passed)), ...call.environment };
        return runToEnd({ ...call, command, env }, signal);
      },
    }),
  };
}
