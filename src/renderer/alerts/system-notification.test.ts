import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showWindowMessage } from '../../shared/window-messages.ts';
import { isShown, notifySystem } from './system-notification.ts';

/** A notification whose system does what the test says. */
class SystemNotification extends EventTarget {
  static permission = 'granted';
  onclick?: () => void;

  close(): void {}
}

beforeEach(() => {
  SystemNotification.permission = 'granted';
  vi.stubGlobal('Notification', SystemNotification);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const notify = () => notifySystem('Show: broadcast lost', { body: 'It has ended.', tag: 'one', onOpen: () => {} });

test.each<[string, Event | undefined, boolean]>([
  ['shows it', new Event('show'), true],
  ['refuses it', new Event('error'), false],
  ['drops it without a word, as macOS does to an app without a signature', undefined, false],
])('of a notification it is known whether the system %s', async (_does, event, expected) => {
  const shown = notify();
  if (shown === undefined) throw new Error('no notification');
  const answer = isShown(shown);
  if (event !== undefined) shown.dispatchEvent(event);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await answer).toBe(expected);
});

test('a click brings the page to the front, in a browser and in the app, opens what it is about, and closes it', () => {
  const done: unknown[] = [];
  vi.stubGlobal('window', {
    focus: () => done.push('focus'),
    postMessage: (...message: unknown[]) => done.push(message),
  });
  const shown = notifySystem('Show: broadcast lost', { body: 'It has ended.', tag: 'one', onOpen: () => done.push('open') });
  vi.spyOn(shown as Notification, 'close').mockImplementation(() => void done.push('close'));
  (shown as unknown as SystemNotification).onclick?.();
  expect(done).toEqual(['focus', [showWindowMessage, '/'], 'open', 'close']);
});

test('there is none without permission, nor where a page may not make one', () => {
  SystemNotification.permission = 'denied';
  expect(notify()).toBeUndefined();
  vi.stubGlobal(
    'Notification',
    class {
      static permission = 'granted';
      constructor() {
        throw new TypeError('Illegal constructor.');
      }
    },
  );
  expect(notify()).toBeUndefined();
});
