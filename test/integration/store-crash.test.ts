import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createFixedSecretStore } from '../support/fixed-secret-store.ts';
import type { ChurnLine } from '../support/store-churn.ts';
import { makeTestFolder, openStoreStand } from '../support/store-stand.ts';

const rawImports = fileURLToPath(new URL('../support/raw-imports.ts', import.meta.url));
const churn = fileURLToPath(new URL('../support/store-churn.ts', import.meta.url));

/** Runs the churn on a folder and kills it after this many answers; returns what it printed until then. */
async function churnUntilKilled(folder: string, answers: number): Promise<ChurnLine[]> {
  const child = spawn(process.execPath, ['--import', rawImports, churn, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: ChurnLine[] = [];
  const closed = once(child, 'close');
  let answered = 0;
  for await (const text of createInterface(child.stdout)) {
    const line = parseLine(text);
    if (line === undefined) break;
    lines.push(line);
    if ('done' in line && ++answered === answers) child.kill('SIGKILL');
  }
  expect(await closed).toEqual([null, 'SIGKILL']);
  return lines;
}

/** Undefined for the last line, if the kill truncated it. */
function parseLine(text: string): ChurnLine | undefined {
  try {
    return JSON.parse(text) as ChurnLine;
  } catch {
    return undefined;
  }
}

test('after a kill at any moment, the next start has everything that was answered, and nothing is active', async () => {
  using folder = makeTestFolder();
  const expected = new Map<string, { name: string; streamKey: string }>();
  const deleted = new Map<string, { streamKey: string }>();
  for (const answers of [1, 2, 3, 5, 10, 31, 64, 100]) {
    const lines = await churnUntilKilled(folder.path, answers);
    for (const line of lines) {
      if (!('done' in line)) continue;
      if (line.done === 'create') expected.set(line.stream.id, line.stream);
      else if (line.done === 'rename') Object.assign(expected.get(line.id) ?? {}, { name: line.name });
      else {
        deleted.set(line.id, expected.get(line.id)!);
        expected.delete(line.id);
      }
    }
    const last = lines.at(-1);
    // A change under way at the kill may have happened or not: either is accepted.
    const underWay = last !== undefined && 'about' in last ? last : undefined;

    using stand = await openStoreStand({ folder: folder.path, secrets: createFixedSecretStore() });
    expect(stand.db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(stand.streams.notices).toEqual([]);
    const found = new Map(stand.streams.listKeyless().map((stream) => [stream.id, stream]));
    if (underWay?.about === 'create') {
      const unanswered = [...found.keys()].filter((id) => !expected.has(id));
      expect(unanswered.length).toBeLessThanOrEqual(1);
      for (const id of unanswered) expected.set(id, { name: found.get(id)!.name, streamKey: stand.streams.revealKey(id) });
    } else if (underWay?.about === 'delete' && !found.has(underWay.id)) expected.delete(underWay.id);
    else if (underWay?.about === 'rename') expected.get(underWay.id)!.name = found.get(underWay.id)!.name;

    expect(new Map([...found].map(([id, { name }]) => [id, name]))).toEqual(
      new Map([...expected].map(([id, { name }]) => [id, name])),
    );
    for (const [id, { streamKey }] of expected) {
      expect(stand.streams.findByStreamKey(streamKey)).toMatchObject({ kind: 'found', stream: { id } });
    }
    for (const { streamKey } of deleted.values()) expect(stand.streams.findByStreamKey(streamKey)).toEqual({ kind: 'unknown' });
    expect(stand.streams.list({ kind: 'all', activeOnly: true, limit: 1000 }).items).toEqual([]);
    const sessions = stand.streams.listSessions(undefined, { limit: 1000 }).items;
    expect(sessions.filter(({ id, isActive }) => isActive || stand.streams.ends.find(id) === undefined)).toEqual([]);
  }
}, 60_000);
