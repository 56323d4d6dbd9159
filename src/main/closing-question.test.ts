import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';

const { questions } = vi.hoisted(() => ({
  questions: [] as { message: string; isSeen: boolean; answer: (button: string) => void }[],
}));
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: ({ isSeen }: Stage, { message, buttons }: { message: string; buttons: string[] }) =>
      new Promise((resolve) => {
        questions.push({ message, isSeen, answer: (button) => resolve({ response: buttons.indexOf(button) }) });
      }),
  },
}));

// Another test file of this worker may have loaded the module, with its own message box.
vi.resetModules();
const { askBeforeLeaving } = await import('./closing-question.ts');

/** A window whose page may have unsaved edits. As in Electron, a close or reload that the page prevents is silently cancelled. */
class Stage extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), { reload: () => this.reload() });
  timesReloaded = 0;
  isClosed = false;
  isUnsaved = true;
  onAir: string[] = [];
  timesKept = 0;
  #state: 'seen' | 'hidden' | 'minimized' = 'seen';
  readonly leaving = askBeforeLeaving(this as unknown as BrowserWindow, {
    onAirNames: () => this.onAir,
    onKept: () => {
      this.timesKept += 1;
    },
  });

  get isSeen(): boolean {
    return this.#state === 'seen';
  }

  hide(): void {
    this.#state = 'hidden';
  }

  minimize(): void {
    this.#state = 'minimized';
  }

  isMinimized(): boolean {
    return this.#state === 'minimized';
  }

  restore(): void {
    this.#state = 'seen';
  }

  /** As in Electron, a minimized window stays minimized. */
  show(): void {
    if (this.#state === 'hidden') this.#state = 'seen';
  }

  focus(): void {}

  close(): void {
    if (!this.#emit(this, 'close') && !this.#staysForPage()) this.isClosed = true;
  }

  /** As after a crash, or by the page itself. */
  reload(): void {
    if (this.#staysForPage()) return;
    this.isUnsaved = false;
    this.timesReloaded += 1;
    this.webContents.emit('did-navigate');
  }

  #staysForPage(): boolean {
    return this.isUnsaved && !this.#emit(this.webContents, 'will-prevent-unload');
  }

  /** Whether the default was prevented. */
  #emit(source: EventEmitter, name: string): boolean {
    let isPrevented = false;
    source.emit(name, {
      preventDefault: () => {
        isPrevented = true;
      },
    });
    return isPrevented;
  }
}

let stage: Stage;
beforeEach(() => {
  questions.length = 0;
  stage = new Stage();
});

const asked = () => questions.map(({ message }) => message);
/** Answers the newest question, and lets the consequences happen. */
async function answer(button: string): Promise<void> {
  questions.at(-1)?.answer(button);
  await new Promise((resolve) => setImmediate(resolve));
}

const unsaved = "Your changes to the settings aren't saved.";

test('a page with edits asks, once at a time, and closes when they are discarded', async () => {
  stage.close();
  stage.close();
  expect([asked(), stage.isClosed]).toEqual([[unsaved], false]);
  await answer('Keep editing');
  expect(stage.isClosed).toBe(false);
  stage.close();
  await answer('Discard and close');
  expect([asked(), stage.isClosed]).toEqual([[unsaved, unsaved], true]);
});

test('neither stop and quit nor a system shutdown asks about edits', async () => {
  stage.onAir = ['Sunday show'];
  stage.close();
  await answer('Stop and quit');
  expect([asked(), stage.isClosed]).toEqual([['You are on air.'], true]);
  const other = new Stage();
  other.leaving.letClose();
  other.close();
  expect([asked().length, other.isClosed]).toEqual([1, true]);
});

test('a broadcast that begins during the question about edits is asked about too', async () => {
  stage.close();
  stage.onAir = ['Sunday show'];
  await answer('Discard and close');
  expect([asked(), stage.isClosed]).toEqual([[unsaved, 'You are on air.'], false]);
  expect(stage.timesKept).toBe(0);
  await answer('Keep streaming');
  expect(stage.timesKept).toBe(1);
  stage.onAir = [];
  stage.close();
  expect(asked()).toEqual([unsaved, 'You are on air.', unsaved]);
});

test('a reload that the user wants asks about edits, and happens when they are discarded', async () => {
  stage.leaving.reload();
  stage.leaving.reload();
  expect([asked(), stage.timesReloaded]).toEqual([[unsaved], 0]);
  await answer('Keep editing');
  expect(stage.timesReloaded).toBe(0);
  stage.leaving.reload();
  await answer('Discard and reload');
  expect([asked(), stage.timesReloaded, stage.isClosed]).toEqual([[unsaved, unsaved], 1, false]);
  // The agreed reload is done, so new edits need another question.
  stage.isUnsaved = true;
  stage.close();
  expect([asked().length, stage.isClosed]).toEqual([3, false]);
});

test('any other reload proceeds, even after one that the user wanted', () => {
  stage.reload();
  stage.leaving.reload();
  stage.isUnsaved = true;
  stage.reload();
  expect([asked(), stage.timesReloaded]).toEqual([[], 3]);
});

test('a page without edits closes without asking', () => {
  stage.isUnsaved = false;
  stage.close();
  expect([asked(), stage.isClosed]).toEqual([[], true]);
});

test.each(['minimize', 'hide'] as const)('a question is seen, even after %s()', async (vanish) => {
  stage.onAir = ['Sunday show'];
  stage[vanish]();
  stage.close();
  await answer('Keep streaming');
  stage.onAir = [];
  stage[vanish]();
  stage.close();
  expect(questions.map(({ message, isSeen }) => [message, isSeen])).toEqual([
    ['You are on air.', true],
    [unsaved, true],
  ]);
});
