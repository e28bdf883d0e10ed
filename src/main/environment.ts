/** A variable of the environment that a person names, such as one that holds a secret. */
export function environmentVariable(name: string): string | undefined {
  return process.env[name];
}
