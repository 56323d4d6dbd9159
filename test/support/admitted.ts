import type { PublisherSink, PublishGate } from '../../src/service/ingest/publish-gate.ts';

/** The sink of an admitted publisher; fails with the reason if it was refused. */
export function admitted(answer: ReturnType<PublishGate['admit']>): PublisherSink {
  if (answer.kind === 'refused') throw new Error(answer.reason.code);
  return answer.sink;
}
