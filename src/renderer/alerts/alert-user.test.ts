import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { calmWindowMessage, flashWindowMessage } from '../../shared/window-messages.ts';
import { changeAlertSettings } from './alert-settings.ts';
import { alertUser } from './alert-user.ts';

const happened: string[] = [];
const playAlarm = vi.hoisted(() => vi.fn(async (_reason?: string, _over?: AbortSignal) => {}));
vi.mock('./alarm-sound.ts', () => ({ playAlarm }));

class SystemNotification extends EventTarget {
  static permission = 'granted';
  readonly #tag: string;

  constructor(title: string, { body, tag }: { body: string; tag: string }) {
    super();
    this.#tag = tag;
    happened.push(`${tag}: ${title}. ${body}`);
  }

  close(): void {
    happened.push(`${this.#tag} closed`);
  }
}

beforeEach(() => {
  happened.splice(0);
  playAlarm.mockClear();
  vi.stubGlobal('Notification', SystemNotification);
  vi.stubGlobal('window', { postMessage: (message: string) => happened.push(message) });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    changeAlertSettings({ isNotifying: true, isSounding: false });
  });
});

const alert = (tag: string) => alertUser('Show: no signal', { body: 'Nothing new.', tag, onOpen: () => {} });

test('an alert shows a notification, flashes the window and sounds if wanted; withdrawing it ends all three', () => {
  const withdraw = alert('one');
  expect(happened.splice(0)).toEqual(['one: Show: no signal. Nothing new.', flashWindowMessage]);
  expect(playAlarm).not.toHaveBeenCalled();
  withdraw();
  expect(happened.splice(0)).toEqual(['one closed', calmWindowMessage]);
  changeAlertSettings({ isNotifying: false, isSounding: true });
  const withdrawSound = alert('two');
  expect(playAlarm.mock.calls.map(([reason, over]) => [reason, over?.aborted])).toEqual([['two', false]]);
  withdrawSound();
  expect(playAlarm.mock.calls.map(([, over]) => over?.aborted)).toEqual([true]);
  expect(happened).toEqual([]);
});

test('an alert about the past shows a notification and makes no sound', () => {
  changeAlertSettings({ isSounding: true });
  alertUser('Show: broadcast lost', { body: 'It has ended.', tag: 'one', isPast: true, onOpen: () => {} });
  expect(happened).toEqual(['one: Show: broadcast lost. It has ended.', flashWindowMessage]);
  expect(playAlarm).not.toHaveBeenCalled();
});

test('the window keeps flashing for a newer alert', () => {
  const withdraw = alert('one');
  const withdrawNewer = alert('two');
  happened.splice(0);
  withdraw();
  expect(happened.splice(0)).toEqual(['one closed']);
  withdrawNewer();
  expect(happened).toEqual(['two closed', calmWindowMessage]);
});
