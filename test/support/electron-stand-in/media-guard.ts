import type { CDPSession } from 'playwright-core';
import type { CaptureQuestion } from './session.ts';

/** Functions in the page's own world: the first asks the main process, the second gets its answer. */
const askName = 'electronStandInAskMedia';
const answerName = 'electronStandInMediaAnswer';

/** Asks `mayCapture` before each camera, microphone and screen that `cdp`'s page opens, as Electron does. */
export async function guardMedia(cdp: CDPSession, mayCapture: (question: CaptureQuestion) => Promise<boolean>): Promise<void> {
  cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== askName) return;
    const { id, ...question } = JSON.parse(payload) as CaptureQuestion & { id: number };
    mayCapture(question)
      .catch(() => false)
      .then((isAllowed) =>
        cdp.send('Runtime.evaluate', { contextId: executionContextId, expression: `${answerName}(${id}, ${isAllowed})` }),
      )
      // The page has gone.
      .catch(() => {});
  });
  await cdp.send('Runtime.addBinding', { name: askName });
  const names = JSON.stringify({ askName, answerName });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${guard})(${names});` });
}

/** Runs in the page, which gets it as text: it must not use anything from outside. */
function guard(names: { askName: string; answerName: string }): void {
  const devices = navigator.mediaDevices;
  if (devices === undefined) return;
  const world = globalThis as unknown as Record<string, (...given: never[]) => void>;
  const waiting = new Map<number, (isAllowed: boolean) => void>();
  let lastId = 0;
  world[names.answerName] = (id: number, isAllowed: boolean) => {
    waiting.get(id)?.(isAllowed);
    waiting.delete(id);
  };
  const isAllowed = (what: string, constraints: MediaStreamConstraints | undefined) => {
    const id = ++lastId;
    const { isActive: userGesture } = navigator.userActivation;
    const question = { id, what, url: location.href, userGesture, audioRequested: Boolean(constraints?.audio) };
    return new Promise<boolean>((resolve) => {
      waiting.set(id, resolve);
      (world[names.askName] as unknown as (json: string) => void)(JSON.stringify(question));
    });
  };
  const getUserMedia = devices.getUserMedia.bind(devices);
  const getDisplayMedia = devices.getDisplayMedia.bind(devices);
  const refusal = () => new DOMException('Permission denied', 'NotAllowedError');
  devices.getUserMedia = async (constraints) => {
    if (!(await isAllowed('media', constraints))) throw refusal();
    return getUserMedia(constraints);
  };
  devices.getDisplayMedia = async (constraints) => {
    if (!(await isAllowed('display-capture', constraints))) throw refusal();
    return getDisplayMedia(constraints);
  };
}
