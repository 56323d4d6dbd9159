import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { soon } from '../../../test/support/soon.ts';
import { spawnPausable } from './spawn-pausable.ts';

test.skipIf(process.platform === 'win32')('a pipe that is paused is left unread, and nothing of it is lost', async () => {
  const script = `printf a >&2; read _; printf b >&2; read _; for i in 1 2 3 4 5 6 7 8 9; do printf c >&2; done; printf done`;
  const child = spawnPausable('/bin/sh', ['-c', script], { stdio: 'pipe' });
  const [input, output, errors] = child.stdio as unknown as [Writable, Readable, Readable];
  let read = '';
  errors.setEncoding('utf8').on('data', (text: string) => {
    read += text;
    errors.pause();
  });
  await soon(() => expect(read).toBe('a'));
  input.write('\n');
  // One piece may be on its way when it is paused.
  await soon(() => expect(errors.readableLength).toBe(1));
  input.write('\n');
  await once(output, 'data');
  expect(errors.readableLength).toBe(1);
  errors.on('pause', () => setImmediate(() => errors.resume())).resume();
  await once(child, 'close');
  expect(read).toBe('abccccccccc');
});
