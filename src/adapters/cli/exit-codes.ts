/** Exit codes of commands. */
export const EXIT = {
  done: 0,
  /** The operation was tried and failed, or was refused. */
  failed: 1,
  /** Wrong usage: unknown command or option, missing argument. */
  usage: 2,
  /** Asked for by --exit-code: there are differences. Neither a failure nor a wrong word on the command line can be taken for it. */
  differences: 3,
  /** Stopped by the person at the terminal, as shells count it (128 + SIGINT). */
  cancelled: 130,
} as const;
