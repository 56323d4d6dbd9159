import { writeSync } from 'node:fs';
import type { Stream } from '../../src/shared/model/stream.ts';
import { createFixedSecretStore } from './fixed-secret-store.ts';
import { openStoreStand } from './store-stand.ts';

/**
 * A process that changes streams until it is killed, and prints each change before and after, a JSON line each.
 *
 * Started as `node --import raw-imports.ts store-churn.ts FOLDER`. A line with `done` is a change that a caller got an answer for.
 */
export type ChurnLine =
  | { about: 'create' }
  | { about: 'rename' | 'delete'; id: string }
  | { done: 'create'; stream: Stream }
  | { done: 'rename'; id: string; name: string }
  | { done: 'delete'; id: string };

const tell = (line: ChurnLine) => writeSync(1, `${JSON.stringify(line)}\n`);

const stand = await openStoreStand({ folder: process.argv[2] ?? '', secrets: createFixedSecretStore(), time: Date.now() });
const own: string[] = [];
let sessionId = '';
for (let count = 0; ; count++) {
  const id = own[Math.floor(own.length / 2)];
  if (id === undefined || count % 3 === 0) {
    tell({ about: 'create' });
    const stream = await stand.streams.create({ name: `stream ${count}` });
    own.push(stream.id);
    tell({ done: 'create', stream });
    // Something is always live when it is killed.
    sessionId = stand.ledger.beginSession(stream.id, Date.now()).id;
  } else if (count % 3 === 1) {
    const name = `renamed ${count}`;
    tell({ about: 'rename', id });
    await stand.streams.update(id, { name });
    tell({ done: 'rename', id, name });
  } else {
    tell({ about: 'delete', id });
    await stand.streams.delete(id);
    own.splice(own.indexOf(id), 1);
    tell({ done: 'delete', id });
  }
  stand.ledger.addProgress(sessionId, { lastSeen: Date.now(), sourceSegments: 1, sourceDurationSeconds: 2 });
  stand.writer.flush();
}
