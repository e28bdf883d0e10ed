import type { CommandContext } from '../context.ts';

/** Writes records that come bit by bit as one JSON array or one YAML list. */
export interface RecordWriter {
  write(records: readonly unknown[]): Promise<void>;
  end(): Promise<void>;
}

export async function recordWriter(context: CommandContext, form: 'json' | 'yaml'): Promise<RecordWriter> {
  return form === 'json' ? jsonWriter(context) : yamlWriter(context);
}

function jsonWriter(context: CommandContext): RecordWriter {
  let separator = '[\n';
  return {
    async write(records) {
      for (const record of records) {
        await context.result(`${separator}${JSON.stringify(record)}`);
        separator = ',\n';
      }
    },
    async end() {
      await context.result(separator === '[\n' ? '[]\n' : '\n]\n');
    },
  };
}

async function yamlWriter(context: CommandContext): Promise<RecordWriter> {
  const { structuredText } = await import('./listing.ts');
  let isEmpty = true;
  return {
    async write(records) {
      for (const record of records) {
        await context.result(await structuredText([record], 'yaml'));
        isEmpty = false;
      }
    },
    async end() {
      if (isEmpty) await context.result('[]\n');
    },
  };
}
