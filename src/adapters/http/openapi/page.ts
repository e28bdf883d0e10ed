import { createHash } from 'node:crypto';
import type { OpenApiDocument } from './document.ts';
import { PAGE_STYLE } from './page-style.ts';
import { resolveReference, schemaHtml, escapeHtml as text } from './schema-html.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Content {
  readonly schema: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, Content>> }>>;
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/**
 * Returns the documentation as one page without scripts: opening, folding and scrolling use what every browser can do by itself.
 */
export function documentationPage(
  document: OpenApiDocument,
  prefix = '',
): { html: string; contentSecurityPolicy: string } {
  const groups = groupsOf(document);
  const navigation = [...groups].map(
    ([tag, endpoints]) =>
      `<li><a href="#${text(tag)}">${text(tag)}</a><ul>${endpoints.map(navigationItem).join('')}</ul></li>`,
  );
  const sections = [...groups].map(
    ([tag, endpoints]) =>
      `<section aria-labelledby="${text(tag)}"><h2 id="${text(tag)}">${text(tag)}</h2>${endpoints
        .map((endpoint) => endpointHtml(document, endpoint))
        .join('')}</section>`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(document.info.title)} API</title><style>${PAGE_STYLE}</style></head>
<body><a class="skip" href="#content">Skip to content</a>
<nav aria-label="Endpoints"><p class="name">${text(document.info.title)} <small>${text(document.info.version)}</small></p>
<ul>${navigation.join('')}</ul></nav>
<main id="content"><h1>${text(document.info.title)} API</h1><p>${text(document.info.description)}</p>
${INTRODUCTION}
${machineReadable(prefix)}${sections.join('')}</main></body></html>`;
  const style = createHash('sha256').update(PAGE_STYLE).digest('base64');
  return {
    html,
    contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

const INTRODUCTION = `<h2 id="access">Access</h2>
<p>Send HTTP Basic credentials, the header <code>x-login-user: USER:SECRET</code>, or a personal token as
<code>Authorization: Bearer …</code>, over HTTPS. Each part of the API needs the role named with it, or <code>all</code>.</p>
<pre><code>curl -u USER:SECRET https://…/api/v1/objects/all?start=0</code></pre>
<h2 id="errors">Errors</h2>
<p>Every error is <code>{"message": …, "code": …}</code>: the message says what is wrong and what to do, the code is a word
that stays the same. <code>details</code> names places in the input. Quote <code>X-Request-Id</code> when you report a fault.</p>`;

function machineReadable(prefix: string): string {
  return `<p>The same in machine-readable form: <a href="${prefix}/openapi.json">openapi.json</a>.</p>`;
}

function groupsOf(document: OpenApiDocument): ReadonlyMap<string, readonly Endpoint[]> {
  const groups = new Map<string, Endpoint[]>();
  const paths = document.paths as Record<string, Record<string, Operation>>;
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags[0] as string;
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  return groups;
}

function navigationItem({ method, operation }: Endpoint): string {
  return `<li><a href="#${text(operation.operationId)}"><span class="method">${method}</span> ${text(operation.summary)}</a></li>`;
}

function endpointHtml(document: OpenApiDocument, { method, path, operation }: Endpoint): string {
  const id = text(operation.operationId);
  const description = (operation.description ?? '').split('\n\n').map((paragraph) => `<p>${text(paragraph)}</p>`);
  return `<article aria-labelledby="${id}"><h3 id="${id}"><a href="#${id}">${text(operation.summary)}</a></h3>
<p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${text(path)}</code>${
    operation.security?.length === 0 ? ' <span class="open">open to all</span>' : ''
  }</p>${description.join('')}
${parametersHtml(document, operation.parameters ?? [])}
${bodyHtml(document, operation)}
${answersHtml(document, operation)}</article>`;
}

function parametersHtml(document: OpenApiDocument, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(
    (parameter) =>
      `<tr><th scope="row"><code>${text(parameter.name)}</code></th><td>${text(parameter.in)}${
        parameter.required ? ', required' : ''
      }</td><td>${text(parameter.description ?? '')} ${schemaHtml(document, parameter.schema)}</td></tr>`,
  );
  return `<h4>Parameters</h4><table><tbody>${rows.join('')}</tbody></table>`;
}

function bodyHtml(document: OpenApiDocument, { requestBody }: Operation): string {
  if (requestBody === undefined) return '';
  const contents = Object.entries(requestBody.content).map(
    ([type, { schema }]) => `<p><code>${text(type)}</code></p>${schemaHtml(document, schema)}`,
  );
  return `<h4>Body${requestBody.required ? '' : ' (optional)'}</h4>${contents.join('')}`;
}

function answersHtml(document: OpenApiDocument, { responses }: Operation): string {
  const answers = Object.entries(responses).map(([status, response]) => {
    const schema = Object.values(response.content ?? {})[0]?.schema;
    const good = Number(status) < 300;
    const known = schema === undefined || !good ? '' : schemaHtml(document, resolveReference(document, schema));
    const head = `<code>${status}</code> ${text(response.description)}`;
    return known === '' ? `<p>${head}</p>` : `<details><summary>${head}</summary>${known}</details>`;
  });
  return `<h4>Answers</h4>${answers.join('')}`;
}
