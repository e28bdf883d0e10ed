export type LogFields = Readonly<Record<string, unknown>>;

/** The program's own log (not the operators' log of `LogStore`). Messages are static text, what varies goes into fields. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
}

/** From what says most to nothing. */
export const LOGGER_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LoggerLevel = (typeof LOGGER_LEVELS)[number];

/** The current log level of a process; all of its threads follow. */
export interface LoggerLevelSwitch {
  readonly level: LoggerLevel;
  set(level: LoggerLevel): void;
}
