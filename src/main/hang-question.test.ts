import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../../test/support/soon.ts';

interface Asked {
  message: string;
  answer: (button: string) => void;
  signal: AbortSignal | undefined;
}

const { questions } = vi.hoisted(() => ({ questions: [] as Asked[] }));
vi.mock('electron', () => ({
  app: { quit: () => {} },
  dialog: {
    showMessageBox: (
      _window: unknown,
      { message, buttons, cancelId, signal }: { message: string; buttons: string[]; cancelId: number; signal?: AbortSignal },
    ) =>
      new Promise((resolve) => {
        questions.push({ message, answer: (button) => resolve({ response: buttons.indexOf(button) }), signal });
        signal?.addEventListener('abort', () => resolve({ response: cancelId }));
      }),
  },
}));

// Another test file of this worker may have loaded the module, with its own message box.
vi.resetModules();
const { reloadAfterCrash } = await import('./crash-reload.ts');
const { askWhileHanging } = await import('./hang-question.ts');

const log = { error: () => {} };

/** A window with a page that can hang; as in Electron, a page that hangs doesn't reload. */
class Stage extends EventEmitter {
  timesReloaded = 0;
  timesCrashed = 0;
  isHanging = false;
  readonly webContents = Object.assign(new EventEmitter(), {
    reload: () => {
      if (!this.isHanging) this.timesReloaded += 1;
    },
    forcefullyCrashRenderer: () => {
      this.timesCrashed += 1;
      this.isHanging = false;
      this.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    },
  });

  constructor() {
    super();
    const window = this as unknown as BrowserWindow;
    reloadAfterCrash(window, log as never);
    askWhileHanging(window, log as never);
  }

  isDestroyed(): boolean {
    return false;
  }

  hang(): void {
    this.isHanging = true;
    this.webContents.emit('unresponsive');
  }

  recover(): void {
    this.isHanging = false;
    this.webContents.emit('responsive');
  }
}

let stage: Stage;
beforeEach(() => {
  questions.length = 0;
  stage = new Stage();
});

/** Answers the newest question, and lets the consequences happen. */
async function answer(button: string): Promise<void> {
  questions.at(-1)?.answer(button);
  await new Promise((resolve) => setImmediate(resolve));
}

test('screens that hang are reloaded if the user wants that', async () => {
  stage.hang();
  stage.hang();
  expect(questions.map(({ message }) => message)).toEqual(["The screens don't respond."]);
  await answer('Reload the screens');
  await soon(() => expect([stage.timesCrashed, stage.timesReloaded]).toEqual([1, 1]));
});

test('a user who waits is asked again when they still hang later', async () => {
  stage.hang();
  await answer('Wait');
  expect([stage.timesCrashed, stage.timesReloaded]).toEqual([0, 0]);
  stage.hang();
  expect(questions.length).toBe(2);
});

test('screens that respond again take the question back', async () => {
  stage.hang();
  stage.recover();
  await answer('Reload the screens');
  expect([questions[0]?.signal?.aborted, stage.timesCrashed]).toEqual([true, 0]);
});
