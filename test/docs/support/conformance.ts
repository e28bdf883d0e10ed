import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ROOT } from '../../architecture/source-files.ts';

const requirementSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]\d+$/),
  says: z.string().min(1),
  /** Titles of tests, by the file that they stand in. */
  tests: z.record(z.string(), z.array(z.string()).min(1)),
});

const sectionSchema = z.strictObject({ about: z.string().min(1), requirements: z.array(requirementSchema).min(1) });

export type Section = z.infer<typeof sectionSchema>;

/** What the interface asks for, in our words, and the tests that show it. */
export function readConformance(): Section[] {
  return z.array(sectionSchema).parse(JSON.parse(readFileSync(join(ROOT, 'test/docs/conformance.json'), 'utf8')));
}

/** What keeps the sections from being proof: a requirement without a test, an id that stands twice, a test that there is not. */
export function gapsOf(sections: readonly Section[], read: (file: string) => string | undefined = fileText): string[] {
  const gaps: string[] = [];
  const seen = new Set<string>();
  for (const { id, tests } of sections.flatMap(({ requirements }) => requirements)) {
    if (seen.has(id)) gaps.push(`${id} stands twice`);
    seen.add(id);
    if (Object.keys(tests).length === 0) gaps.push(`${id} has no test`);
    for (const [file, titles] of Object.entries(tests)) {
      const text = read(file);
      if (text === undefined) gaps.push(`${id}: there is no file ${file}`);
      else
        gaps.push(
          ...titles.filter((title) => !hasTest(text, title)).map((title) => `${id}: ${file} has no "${title}"`),
        );
    }
  }
  return gaps;
}

/** Tables of all requirements, as Markdown. */
export function conformanceTables(): string {
  return readConformance()
    .map(({ about, requirements }) => {
      const rows = requirements.map(({ id, says, tests }) => `| ${id} | ${cell(says)} | ${cellOfTests(tests)} |`);
      return `## ${about}\n\n| | Requirement | Tests |\n|---|---|---|\n${rows.join('\n')}\n`;
    })
    .join('\n');
}

function cellOfTests(tests: Section['requirements'][number]['tests']): string {
  return Object.entries(tests)
    .map(([file, titles]) => `\`${file}\`: ${titles.map((title) => cell(title)).join(' · ')}`)
    .join('<br>');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');
}

/** A test that is called so and runs: its title is a literal, and a function or options follow. */
function hasTest(text: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => {
    const parts = text.split(`${quote}${title.replaceAll(quote, `\\${quote}`)}${quote},`);
    return parts.some((before, index) => {
      const after = parts[index + 1];
      if (after === undefined || !/(?:\b(?:it|test)|\))\(\s*$/.test(before)) return false;
      return /^\s*(?:async\b|\(|function\b|\{|\w+[,)(])/.test(after);
    });
  });
}

function fileText(file: string): string | undefined {
  return existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : undefined;
}
