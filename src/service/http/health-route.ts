import type { FastifyInstance } from 'fastify';
import type { UnlocatedProblem } from '../../shared/model/store-fault.ts';
import { describeStoreProblem } from '../../shared/words/store-fault-words.ts';
import { unavailableHeaders } from './error-answer.ts';

/** The parts that {@link addHealthRoute} asks for problems. */
export interface HealthSources {
  /** Why the store can't be written. */
  store: { findProblem(): Promise<UnlocatedProblem | undefined> };
  /** `findProblem` tells in a sentence why the door accepts nothing. */
  doors: readonly { findProblem(): string | undefined }[];
}

/** Adds `GET /healthz`: 200 if the service can write its store and take encoders, else 503 with the problems. */
export function addHealthRoute(app: FastifyInstance, { store, doors }: HealthSources): void {
  app.get('/healthz', async (_request, reply) => {
    const problem = await store.findProblem();
    const sentences = [problem && describeStoreProblem(problem), ...doors.map((door) => door.findProblem())];
    const problems = sentences.filter((sentence) => sentence !== undefined);
    reply.header('cache-control', 'no-store');
    return problems.length === 0
      ? reply.send({ status: 'ok' })
      : reply.code(503).headers(unavailableHeaders).send({ errors: problems });
  });
}
