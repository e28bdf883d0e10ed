import type { FastifyInstance } from 'fastify';

/** Whether the service is about to stop, and only continues until its callers have found another node. */
export interface Draining {
  readonly isDraining: boolean;
}

/**
 * Once draining begins, each answer ends its connection: after an answer a client loses nothing, before one it would lose a
 * request.
 */
export function endConnectionsOnceDraining(app: FastifyInstance, draining: Draining): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.isDraining) reply.header('connection', 'close');
    done(null, payload);
  });
}
