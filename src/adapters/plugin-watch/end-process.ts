const exit = process.exit.bind(process);

/** Ends this process, or the calling thread, with `process.exitCode` unless a code is given. */
export function endProcess(code?: number): never {
  return code === undefined ? exit() : exit(code);
}

/** Lets only the program itself end the process from now on: a plugin that tries to gets an error, which names it. */
export function keepProcess(): void {
  process.exit = (code) => {
    throw new Error(`it called process.exit(${code ?? ''}), which would end all of Muster; it should throw an error`);
  };
}
