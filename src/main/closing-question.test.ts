import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';

const { questions } = vi.hoisted(() => ({ questions: [] as { message: string; answer: (button: string) => void }[] }));
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: (_window: unknown, { message, buttons }: { message: string; buttons: string[] }) =>
      new Promise((resolve) => {
        questions.push({ message, answer: (button) => resolve({ response: buttons.indexOf(button) }) });
      }),
  },
}));

const { askBeforeClosing } = await import('./closing-question.ts');

/** A window whose page may have unsaved edits. As in Electron, a close that the page prevents is silently cancelled. */
class Stage extends EventEmitter {
  readonly webContents = new EventEmitter();
  isClosed = false;
  isUnsaved = true;
  onAir: string[] = [];
  timesKept = 0;
  readonly letClose = askBeforeClosing(this as unknown as BrowserWindow, {
    onAirNames: () => this.onAir,
    onKept: () => {
      this.timesKept += 1;
    },
  });

  close(): void {
    if (!this.#emit(this, 'close') && !this.#staysForPage()) this.isClosed = true;
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
  other.letClose();
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

test('a page without edits closes without asking, and a reload proceeds', () => {
  let isPrevented = false;
  stage.webContents.emit('will-prevent-unload', {
    preventDefault: () => {
      isPrevented = true;
    },
  });
  stage.isUnsaved = false;
  stage.close();
  expect([isPrevented, asked(), stage.isClosed]).toEqual([true, [], true]);
});
