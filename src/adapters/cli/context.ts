import { LEFT_OUT } from '../../../generated/features.ts';
import { localOperator } from '../../app/kernel/caller.ts';
import type { ExecuteOptions } from '../../app/kernel/executor.ts';
import type { AnyOperation, StreamAnswer, StreamOperation, ValueOperation } from '../../app/kernel/operation.ts';
import type { Colours, Column, Print } from '../../app/kernel/print.ts';
import { printable, printableLines } from '../../kit/words/escape.ts';
import type { Field } from '../../kit/words/fields.ts';
import { jsonText } from '../../kit/words/json.ts';
import { AppError } from '../../ports/index.ts';
import type { Application, ConfigFlags, OpenApplication, OpenRequest } from './application.ts';
import { EXIT } from './exit-codes.ts';
import type { Gateway } from './gateway.ts';
import { coloursOf } from './output/colours.ts';
import type { ListRequest } from './output/listing.ts';
import { NO_DISPLAY, type ProgressDisplay, progressDisplay } from './output/progress.ts';
import { type TextOutput, textOutput } from './output/write.ts';
import type { RemoteOptions } from './remote/choose.ts';
import type { Connection } from './remote/connection.ts';
import { hasProfiles } from './remote/profiles-file.ts';
import type { ServiceGateway } from './remote/service.ts';
import { errorLine } from './report-error.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that colour text, and tabs
const KEPT = /(\u001b\[\d+m|\t)/;

/** The commands with which an installation begins. For all others a store that is not there is a wrong address or folder. */
const MAKE_A_STORE: ReadonlySet<string> = new Set(
  ['init', 'demo', 'serve', 'account add', 'user add', 'rules import', 'rules apply', 'restore', 'migrate run'].map(
    (words) => `muster ${words}`,
  ),
);

/** Beginning of a note that explains why the command failed. */
const FAILURE = 'muster: ';

/** Context of one run of the command line. The application is opened by the first command that needs it. */
export class CommandContext implements Print {
  readonly terminal: Terminal;
  /** Version of the program. */
  readonly version: string;
  /** Colours of the result; `noteColours` are those of the error stream. */
  readonly colours: Colours;
  readonly noteColours: Colours;
  readonly #open: OpenApplication;
  readonly #output: TextOutput;
  #opened: Promise<Application> | undefined;
  #service: Promise<ServiceGateway | undefined> | undefined;
  readonly #services: ServiceGateway[] = [];
  #flags: ConfigFlags = {};
  #logLevel: string | undefined;
  #isPlaceReported = false;
  /** The store or service to work on, from the options. Must be set before the first operation is called. */
  where: RemoteOptions = { namesStore: false };
  /** The user's request for a list, beyond the default table. */
  list: ListRequest | undefined;
  /** The command that runs, as `muster host show`. */
  command = 'muster';
  /** True if the result is JSON, so that a failure is reported as JSON too. */
  asJson = false;
  /** True if no progress is shown. */
  quiet = false;
  exitCode: number = EXIT.done;
  /** True after a note that explains why the command failed. */
  #isExplained = false;
  /** Must be set before the application is opened. */
  role: 'service' | 'server' | 'command' = 'command';
  /** Set by the one command for upgrades; a service upgrades too. Must be set before the application is opened. */
  storageMayUpgrade = false;
  /** True if a command creates missing storage, in addition to those that always do. */
  storageMayBeMade = false;
  /** How a command reacts if the storage does not start. Must be set before the application is opened. */
  start: OpenRequest['start'] = 'required';

  constructor(terminal: Terminal, version: string, open: OpenApplication) {
    this.terminal = terminal;
    this.version = version;
    this.colours = coloursOf(terminal.stdout);
    this.noteColours = coloursOf(terminal.stderr);
    this.#open = open;
    this.#output = textOutput(terminal.stdout);
    // A closed error stream must not turn into a crash; there is no one left to notify.
    terminal.stderr.on('error', () => undefined);
  }

  /** Configuration from options; counts for an application that is opened later. */
  configure(flags: ConfigFlags): void {
    this.#flags = { ...this.#flags, ...flags };
  }

  get flags(): ConfigFlags {
    return this.#flags;
  }

  get debug(): boolean {
    return (this.#flags.LOG_LEVEL ?? this.#logLevel) === 'debug';
  }

  get width(): number | undefined {
    return this.terminal.stdout.isTTY ? this.terminal.stdout.columns || 80 : undefined;
  }

  now(): Date {
    return new Date();
  }

  /** Part of the result, onto the standard output. Waits while the reader is slow. A terminal gets no control codes of data. */
  result(text: string): Promise<void> {
    return this.#output.write(this.terminal.stdout.isTTY ? forTerminal(text) : text);
  }

  json(value: unknown): Promise<void> {
    return this.result(jsonText(value));
  }

  /**
   * Writes the answer of a command that lists: all of `answer` if JSON or YAML was requested without a selection, else what
   * `shown` passes to `table`.
   */
  async listing(
    request: ListRequest | undefined,
    answer: () => unknown,
    shown: () => void | Promise<void>,
  ): Promise<void> {
    this.list = request;
    const form = request?.columns === undefined && request?.sort === undefined ? request?.form : undefined;
    if (form !== 'json' && form !== 'yaml') return shown();
    const { structuredText } = await import('./output/listing.ts');
    await this.result(await structuredText(answer(), form));
  }

  async fields(fields: readonly Field[]): Promise<void> {
    const { fieldLines } = await import('../../kit/words/fields.ts');
    return this.result(fieldLines(fields, this.colours));
  }

  get asksForTable(): boolean {
    return this.list !== undefined;
  }

  /** Writes rows as a table, or in the requested form; `empty` is written to the error stream if there are none. */
  async table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string): Promise<void> {
    if (rows.length === 0) this.note(empty);
    if (this.list !== undefined) {
      const { listingText } = await import('./output/listing.ts');
      const text = await listingText(rows, columns, this.list, { colours: this.colours, width: this.width });
      // Data must not control a terminal; a file gets it unchanged. The table has made its cells printable.
      return this.result(this.terminal.stdout.isTTY && this.list.form === 'csv' ? printableLines(text) : text);
    }
    if (rows.length === 0) return;
    const { renderTable } = await import('./output/table.ts');
    await this.result(renderTable(rows, columns, { colours: this.colours, width: this.width }));
  }

  /** A table whose rows come bit by bit. */
  async tableWriter<Row>(columns: readonly Column<Row>[]): Promise<(rows: readonly Row[]) => Promise<void>> {
    const { tableWriter } = await import('./output/table.ts');
    const render = tableWriter(columns, { colours: this.colours, width: this.width });
    return (rows) => this.result(render(rows));
  }

  /** Writes a line for the user to the error stream. Of any data in it, only colours reach the terminal as control codes. */
  note(text: string): void {
    const plain = text
      .split(KEPT)
      .filter((part) => part === '\t' || !KEPT.test(part))
      .join('');
    if (this.asJson && plain.startsWith(FAILURE)) {
      const message = plain.slice(FAILURE.length);
      this.terminal.stderr.write(errorLine(message, message.startsWith('stopped') ? 'cancelled' : 'failed'));
      this.#isExplained = true;
      return;
    }
    this.terminal.stderr.write(`${forTerminal(text)}\n`);
  }

  /** For scripts: a command that failed in part ends with an error line too, if no note has explained it. */
  explainFailure(): void {
    if (!this.asJson || this.#isExplained) return;
    if (this.exitCode === EXIT.failed) this.note('muster: not everything is all right; the answer says what is not');
    if (this.exitCode === EXIT.cancelled) this.note('muster: stopped');
  }

  /** Asks on the terminal, naming the service concerned. Anything but a clear yes counts as no. */
  async ask(question: string): Promise<boolean> {
    const service = await this.service();
    const { askYes } = await import('./ask-yes.ts');
    return askYes(this.terminal, service === undefined ? question : `${printable(service.place)}: ${question}`);
  }

  /** Shows the progress of long work: a bar on a terminal, a line now and then elsewhere, nothing with --quiet. */
  progress(title: string): ProgressDisplay {
    return this.quiet ? NO_DISPLAY : progressDisplay(this.terminal.stderr, title);
  }

  /** Sets the exit code of a command that did its work but has failures to report. */
  failed(): void {
    this.exitCode = EXIT.failed;
  }

  /** The person at the terminal stopped the command. */
  cancelled(): void {
    this.exitCode = EXIT.cancelled;
  }

  /** Returns the action of a command that is loaded when it runs, with the arguments from commander. */
  lazily<Given extends readonly unknown[]>(
    load: () => Promise<(context: CommandContext, ...given: Given) => Promise<void>>,
  ): (...given: Given) => Promise<void> {
    return async (...given) => (await load())(this, ...given);
  }

  /** Returns the program itself, on the store of this machine. Throws if the command is to be sent to a service. */
  async app(): Promise<Application> {
    await this.requireStore();
    this.#opened ??= this.#openApplication();
    return this.#opened;
  }

  /** For commands that only work on the store of this machine. */
  async requireStore(): Promise<void> {
    if ((await this.service()) === undefined) return;
    throw new UsageError(
      `${this.command} works on this machine and its store, and not through a service; leave out --url, or use --profile local`,
    );
  }

  /** Returns the inventory, and the hosts it is limited to, that the environment requests in this call. */
  async inventoryChoice(): Promise<Pick<Application, 'inventoryProvider' | 'inventoryHost' | 'inventoryHosts'>> {
    if ((await this.service()) === undefined) return this.app();
    const { terminal } = this;
    return {
      inventoryProvider: terminal.variable('SERVICE_INVENTORY_PROVIDER') || undefined,
      inventoryHost: terminal.variable('SERVICE_INVENTORY_HOST') || undefined,
      inventoryHosts: terminal.variable('SERVICE_INVENTORY_HOSTS') || undefined,
    };
  }

  async #openApplication(): Promise<Application> {
    const application = await this.#open({
      flags: this.#flags,
      role: this.role,
      storageMustExist: !this.storageMayBeMade && !MAKE_A_STORE.has(this.command),
      storageMayUpgrade: this.storageMayUpgrade || this.role === 'service',
      storageMade: (place) => this.note(`A new database was made: ${place}`),
      start: this.start,
    });
    this.#logLevel = application.services.config.LOG_LEVEL;
    return application;
  }

  async value<Input, Output>(
    operation: ValueOperation<Input, Output>,
    input: unknown,
    options: ExecuteOptions = {},
  ): Promise<Output> {
    return (await this.#gateway()).value(operation, input, { signal: this.terminal.signal, ...options });
  }

  /** Like `value`, but shows the progress of the work. */
  async longValue<Input, Output>(
    title: string,
    operation: ValueOperation<Input, Output>,
    input: unknown,
    options: ExecuteOptions = {},
  ): Promise<Output> {
    const progress = this.progress(title);
    return this.value(operation, input, { ...options, progress: progress.update }).finally(progress.clear);
  }

  async stream<Input>(
    operation: StreamOperation<Input>,
    input: unknown,
    options: ExecuteOptions = {},
  ): Promise<StreamAnswer> {
    return (await this.#gateway()).stream(operation, input, { signal: this.terminal.signal, ...options });
  }

  /** Returns the service that the command is sent to, or `undefined` if it works on the store of this machine. */
  service(): Promise<ServiceGateway | undefined> {
    this.#service ??= this.#chooseService();
    return this.#service;
  }

  /** Loads nothing of the client unless an option, variable or profile names a service. */
  async #chooseService(): Promise<ServiceGateway | undefined> {
    const { url, profile } = this.where;
    const isNamed = url !== undefined || profile !== undefined;
    const isSaid = isNamed || ['MUSTER_URL', 'MUSTER_PROFILE'].some((name) => this.terminal.variable(name));
    if (!isSaid && !hasProfiles(this.terminal)) return undefined;
    const { chosenConnection } = await import('./remote/choose.ts');
    const connection = await chosenConnection(this.terminal, this.where);
    return connection === undefined ? undefined : this.connectTo(connection);
  }

  /** A service, which is left when the command ends. */
  async connectTo(connection: Connection): Promise<ServiceGateway> {
    const { serviceGateway } = await import('./remote/service.ts');
    const { terminal, version } = this;
    const service = serviceGateway(connection, {
      version,
      signal: terminal.signal,
      command: () => this.command,
      note: (text) => this.note(text),
    });
    this.#services.push(service);
    return service;
  }

  async #gateway(): Promise<Gateway> {
    const service = await this.service();
    if (service === undefined) return this.#executor();
    // Hosts of a service must not be taken for those of this machine, or the other way round.
    if (!this.quiet && !this.#isPlaceReported) this.note(`At ${service.place}`);
    this.#isPlaceReported = true;
    return service;
  }

  async #executor(): Promise<Gateway> {
    const { executor, services } = await this.app();
    const caller = () =>
      localOperator({ name: this.terminal.userName(), path: this.command, requestId: services.newId() });
    return {
      async value(operation, input, options) {
        requireOffered(operation);
        return executor.value(operation, { kind: 'value', value: input }, caller(), options);
      },
      async stream(operation, input, options) {
        requireOffered(operation);
        return executor.stream(operation, { kind: 'value', value: input }, caller(), options);
      },
    };
  }

  /** Writes a streamed answer, at the pace of the reader. */
  async resultStream(answer: StreamAnswer): Promise<void> {
    for await (const chunk of answer.body) {
      this.terminal.signal.throwIfAborted();
      await this.#output.write(chunk);
    }
    // In a pipe the result is byte for byte the answer of HTTP.
    if (this.terminal.stdout.isTTY) await this.result('\n');
  }

  /** Waits until the result has left. */
  flush(): Promise<void> {
    return this.#output.end();
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.stop();
    await Promise.all(this.#services.map((service) => service.close()));
  }
}

/** Text in which only colours and tabs are left of all that could control a terminal. */
function forTerminal(text: string): string {
  return text
    .split(KEPT)
    .map((part, index) => (index % 2 === 1 ? part : printableLines(part)))
    .join('');
}

/** Commands of the core may use operations of a feature, which this program need not have. */
function requireOffered({ name, title }: Pick<AnyOperation, 'name' | 'title'>): void {
  if (LEFT_OUT.has(name))
    throw new AppError('not_found', `this program does not have the operation ${name} (${title})`);
}
