import { expect, test, vi } from 'vitest';
import { createTestLog } from '../../test/support/store-stand.ts';

const app = vi.hoisted(() => ({ on: vi.fn() }));
vi.mock('electron', () => ({ app }));
// Another file of this worker may have loaded it, with its own Electron.
vi.resetModules();
const { logChildEnds } = await import('./child-ends.ts');

test("a process of Chromium's that ends is in the log with its reason, unless it was no longer needed", () => {
  const { log, lines } = createTestLog();
  logChildEnds(log);
  const [event, onGone] = app.on.mock.calls[0] ?? [];
  expect(event).toBe('child-process-gone');
  onGone({}, { type: 'GPU', reason: 'launch-failed', exitCode: 18 });
  onGone(
    {},
    { type: 'Utility', reason: 'killed', exitCode: 9, name: 'Audio Service', serviceName: 'audio.mojom.AudioService' },
  );
  onGone({}, { type: 'Utility', reason: 'clean-exit', exitCode: 0 });
  expect(lines).toMatchObject([
    { msg: 'A process of Chromium has ended', type: 'GPU', reason: 'launch-failed', exitCode: 18 },
    { msg: 'A process of Chromium has ended', type: 'Utility', process: 'Audio Service', reason: 'killed', exitCode: 9 },
  ]);
  expect(lines).toHaveLength(2);
});
