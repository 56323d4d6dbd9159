import type * as Electron from 'electron';
import { expect, test, vi } from 'vitest';
import { createTestLog } from '../../test/support/store-stand.ts';

const app = vi.hoisted(() => ({ on: vi.fn() }));
vi.mock('electron', () => ({ app, shell: {} }));
const { confinePages, limitPermissions } = await import('./security.ts');

const capturePage = {} as Electron.WebContents;
const screens = {} as Electron.WebContents;

/** The app's answers to a request, and to a check, for a permission. */
function ask(contents: Electron.WebContents | null, permission: string, url: string): { request: boolean; check: boolean } {
  type Request = (contents: unknown, permission: string, answer: (isGranted: boolean) => void, details: object) => void;
  let onRequest: Request = () => {};
  let onCheck: (contents: unknown, permission: string, origin: string) => boolean = () => true;
  const session = {
    setPermissionRequestHandler: (handler: Request) => {
      onRequest = handler;
    },
    setPermissionCheckHandler: (handler: typeof onCheck) => {
      onCheck = handler;
    },
    setDevicePermissionHandler: () => {},
  } as unknown as Electron.Session;
  limitPermissions(session, { ownOrigin: 'tallylight://app', isCapturePage: (other) => other === capturePage });
  let request = false;
  onRequest(contents, permission, (isGranted) => (request = isGranted), { requestingUrl: url });
  return { request, check: onCheck(contents, permission, url) };
}

const granted = { request: true, check: true };
const denied = { request: false, check: false };

test.each(['media', 'display-capture'])('%s is for the capture page alone', (permission) => {
  expect(ask(capturePage, permission, 'tallylight://app/capture.html')).toEqual(granted);
  expect(ask(screens, permission, 'tallylight://app/')).toEqual(denied);
  expect(ask(null, permission, 'tallylight://app/')).toEqual(denied);
  expect(ask(capturePage, permission, 'https://example.com/')).toEqual(denied);
});

test('our pages reach the service, go to full screen and keep the display on; other pages and other permissions are denied', () => {
  expect(ask(screens, 'fullscreen', 'tallylight://app/')).toEqual(granted);
  expect(ask(screens, 'loopback-network', 'tallylight://app/')).toEqual(granted);
  expect(ask(screens, 'screen-wake-lock', 'tallylight://app/')).toEqual(granted);
  expect(ask(screens, 'fullscreen', 'https://example.com/')).toEqual(denied);
  expect(ask(capturePage, 'geolocation', 'tallylight://app/capture.html')).toEqual(denied);
});

test('a server that asks for a client certificate gets none', () => {
  confinePages('tallylight://app', createTestLog().log);
  const [, select] = app.on.mock.calls.find(([event]) => event === 'select-client-certificate') ?? [];
  const event = { preventDefault: vi.fn() };
  const answer = vi.fn();
  select?.(event, screens, 'https://example.com/', [{ subjectName: 'The user' }], answer);
  expect(event.preventDefault).toHaveBeenCalledOnce();
  expect(answer.mock.calls).toEqual([[]]);
});
