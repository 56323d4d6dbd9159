import { expect, test } from 'vitest';
import { askForNotifications } from './ask-for-notifications.ts';

test.each<[string, Parameters<typeof askForNotifications>[0]['requestPermission']]>([
  ['by a promise', async () => 'granted'],
  ['by a promise that rejects', () => Promise.reject(new Error('Not without a click.'))],
  [
    'by the callback only',
    (callback) => {
      setImmediate(() => callback?.());
      return undefined;
    },
  ],
])('an answer %s counts', async (_, requestPermission) => {
  await expect(askForNotifications({ requestPermission })).resolves.toBeUndefined();
});
