import type { FastifyInstance } from 'fastify';
import { unavailableHeaders } from './error-answer.ts';

/**
 * Adds `GET /healthz`: 200 if the service can write its store and take encoders, else 503 with the problems.
 *
 * `findProblems` returns a sentence for each problem that keeps the service from writing its store or accepting media.
 */
export function addHealthRoute(app: FastifyInstance, findProblems: () => Promise<readonly string[]>): void {
  app.get('/healthz', async (_request, reply) => {
    const problems = await findProblems();
    reply.header('cache-control', 'no-store');
    return problems.length === 0
      ? reply.send({ status: 'ok' })
      : reply.code(503).headers(unavailableHeaders).send({ errors: problems });
  });
}
