/** Templates in the language of rules, as options of accounts hold them. */
export interface TextTemplates {
  /** Throws `AppError('invalid_input')`, which names the option, for a text that does not compile. */
  compile(option: string, source: string): TextTemplate;
}

export interface TextTemplate {
  /** Names that it reads in addition to `attributes`, which holds everything. */
  readonly names: ReadonlySet<string>;
  /**
   * The text, blanks at its ends included. Values are texts, numbers, lists and objects, and never templates themselves. Throws
   * `TemplateFault` when a name is not there, and for all else that goes wrong.
   */
  render(values: TemplateValues): string;
}

/** The values a template may read, looked up during rendering. */
export interface TemplateValues {
  get(name: string): unknown;
  all(): ReadonlyMap<string, unknown>;
}

/** A template that cannot be rendered with the values at hand. The message is for people. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';
}
