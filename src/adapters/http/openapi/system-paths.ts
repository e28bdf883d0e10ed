const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

function text(mediaType: string, description: string): Record<string, unknown> {
  return { description, headers: requestId, content: { [mediaType]: { schema: { type: 'string' } } } };
}

const health = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { type: 'string', enum: ['ready', 'unavailable', 'draining'] },
    writable: {
      type: 'boolean',
      description: 'Whether the storage takes writes; false when its disk is full, or it is read-only',
    },
    broken_plugins: { type: 'array', items: { type: 'string' }, description: 'Ids of plugins that are left out' },
    message: { type: 'string', description: 'Advice if it is not ready' },
    code: { const: 'unavailable' },
  },
  additionalProperties: false,
};

/** Paths on which the service describes itself. */
export const SYSTEM_PATHS = {
  '/healthz': {
    get: {
      operationId: 'healthz',
      tags: ['service'],
      summary: 'Alive',
      description: 'Answers as long as the process does.',
      security: [],
      responses: {
        200: {
          description: 'Alive',
          headers: requestId,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['status'],
                properties: { status: { const: 'alive' } },
                additionalProperties: false,
              },
            },
          },
        },
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readyz',
      tags: ['service'],
      summary: 'Ready',
      description:
        'Whether the store answers and every enabled rule has its plugin. Other broken plugins are named and do not make the service unready.',
      security: [],
      parameters: [
        {
          name: 'write',
          in: 'query',
          description: '1: a node whose storage cannot be written is not ready',
          schema: { type: 'string', enum: ['1', 'true'] },
        },
      ],
      responses: {
        200: { description: 'Ready', headers: requestId, content: { 'application/json': { schema: health } } },
        503: {
          description:
            'The storage does not answer, or cannot be written and write=1 asks for that, or enabled rules need a plugin that is not loaded (unavailable), or this node is about to stop (draining)',
          headers: { ...requestId, 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
          content: { 'application/json': { schema: health } },
        },
      },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      tags: ['service'],
      summary: 'Metrics',
      description:
        'For Prometheus. Clients on the same machine need no credentials, others the role metrics, without which no account is named.',
      security: [{}, { basic: [] }, { bearer: [] }, { loginHeader: [] }, { tokenHeader: [] }],
      responses: {
        200: text('text/plain', 'Metrics'),
        401: {
          description: 'Credentials are missing or not valid, or lack the role',
          headers: { ...requestId, 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
          content: error,
        },
        429: {
          description: 'Too many refused requests from this address',
          headers: { ...requestId, 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
          content: error,
        },
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'openapi',
      tags: ['service'],
      summary: 'This document',
      description: 'OpenAPI, made from what checks requests and shapes answers.',
      security: [],
      responses: {
        200: {
          description: 'OpenAPI 3.1',
          headers: requestId,
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
  '/docs': {
    get: {
      operationId: 'docs',
      tags: ['service'],
      summary: 'The documentation',
      description: 'The first page of the documentation; the others are below `/docs/`.',
      security: [],
      responses: { 200: text('text/html', 'A page') },
    },
  },
  '/docs/openapi': {
    get: {
      operationId: 'docs_openapi',
      tags: ['service'],
      summary: 'This document for people',
      description: 'A page without scripts.',
      security: [],
      responses: { 200: text('text/html', 'A page') },
    },
  },
};
