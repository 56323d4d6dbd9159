import type { FastifyInstance } from 'fastify';

/**
 * Adds `GET /healthz`: 200 while nothing is wrong, else 503 with what is.
 *
 * `findProblems` tells in a sentence each what keeps the service from writing its store or accepting media.
 */
export function addHealthRoute(app: FastifyInstance, findProblems: () => Promise<readonly string[]>): void {
  app.get('/healthz', async (_request, reply) => {
    const problems = await findProblems();
    reply.header('cache-control', 'no-store');
    return problems.length === 0 ? reply.send({ status: 'ok' }) : reply.code(503).send({ errors: problems });
  });
}
