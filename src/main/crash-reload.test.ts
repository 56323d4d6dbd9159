import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const { questions } = vi.hoisted(() => ({ questions: [] as { answer: (button: string) => void }[] }));
vi.mock('electron', () => ({
  app: { quit: () => {} },
  dialog: {
    showMessageBox: (
      _window: unknown,
      { buttons, cancelId, signal }: { buttons: string[]; cancelId: number; signal?: AbortSignal },
    ) =>
      new Promise((resolve) => {
        questions.push({ answer: (button) => resolve({ response: buttons.indexOf(button) }) });
        signal?.addEventListener('abort', () => resolve({ response: cancelId }));
      }),
  },
}));
// Another test file of this worker may have loaded the module, with its own message box.
vi.resetModules();
const { reloadAfterCrash } = await import('./crash-reload.ts');

/** A window whose page crashes, and is reloaded. */
class Stage extends EventEmitter {
  timesReloaded = 0;
  readonly webContents = Object.assign(new EventEmitter(), { reload: () => this.reload() });
  readonly quitTakenBack = reloadAfterCrash(this as unknown as BrowserWindow, { error: () => {} } as never);

  isDestroyed(): boolean {
    return false;
  }

  crash(times: number): void {
    for (let count = 0; count < times; count += 1) this.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  }

  /** Answers the newest question, and lets the consequences happen. */
  async answer(button: string): Promise<void> {
    questions.at(-1)?.answer(button);
    await vi.advanceTimersByTimeAsync(0);
  }

  /** By the user, too. */
  reload(): void {
    this.timesReloaded += 1;
    this.webContents.emit('did-navigate');
  }
}

let stage: Stage;
beforeEach(() => {
  vi.useFakeTimers();
  stage = new Stage();
});
afterEach(() => void vi.useRealTimers());

test('a page that the user has reloaded is not reloaded again when the pause after a crash is over', () => {
  stage.crash(2);
  stage.reload();
  vi.advanceTimersByTime(1_000);
  expect(stage.timesReloaded).toBe(1);
  stage.crash(1);
  vi.advanceTimersByTime(2_000);
  expect(stage.timesReloaded).toBe(2);
});

test('a page that was left crashed is reloaded when a quit is taken back, unless the user has done so', async () => {
  stage.crash(6);
  await stage.answer('Quit');
  stage.quitTakenBack();
  stage.quitTakenBack();
  expect(stage.timesReloaded).toBe(1);
  stage.crash(6);
  await stage.answer('Quit');
  stage.reload();
  stage.quitTakenBack();
  expect(stage.timesReloaded).toBe(2);
});

test('the question whether to reload it goes when the user has reloaded it', async () => {
  stage.crash(6);
  stage.reload();
  await stage.answer('Quit');
  stage.quitTakenBack();
  expect(stage.timesReloaded).toBe(1);
});
