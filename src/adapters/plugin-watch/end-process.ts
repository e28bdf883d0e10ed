const exit = process.exit.bind(process);

/** Ends this process, or the calling thread, with `process.exitCode` unless a code is given. */
export function endProcess(code?: number): never {
  return code === undefined ? exit() : exit(code);
}

/** From now on nothing but the program itself ends the process: a plugin that tries to gets an error, which names it. */
export function keepProcess(): void {
  process.exit = (code) => {
    throw new Error(`it called process.exit(${code ?? ''}), which would end all of Muster; it should throw an error`);
  };
}
