import { createListeners } from '../../shared/listeners.ts';
import type { CapturePageOrders, PageDevice } from '../../shared/model/page-capture.ts';
import type { Connection } from '../client/connection.ts';
import { pageId } from '../client/page-id.ts';
import { createLiveValue } from '../store/live-value.ts';
import { CaptureRunner } from './capture-runner.ts';
import { openCaptureSocket } from './capture-socket.ts';
import { listDevices } from './open-media.ts';

/** The work of a capture page, as last received from the service. */
export type CaptureWork = { kind: 'waiting' } | CapturePageOrders;

/** Everything a capture page does: it keeps open what the service has ordered for its place, and reports how that is going. */
export interface CaptureDesk {
  /** Its work now; the captures in the order they were asked for. */
  work(): CaptureWork;
  onChange(listener: () => void): () => void;
  /** Opens the browser's picker for a capture; must be called in a user's gesture. */
  choose(captureId: string): void;
  /** Ends sharing. */
  stop(captureId: string): void;
}

/** Opens the desk for as long as the page is there. */
export function openCaptureDesk(connection: Connection, place: string): CaptureDesk {
  const runners = new Map<string, CaptureRunner>();
  const listeners = createListeners();
  let told: CapturePageOrders | undefined;
  let shown: CaptureWork = { kind: 'waiting' };
  let devices: PageDevice[] = [];

  const report = () => {
    const captures = [...runners.values()].map(({ captureId, attempt, state }) => ({ captureId, attempt, state }));
    shown = told === undefined ? { kind: 'waiting' } : withStates(told, runners);
    listeners.emit();
    // Without contact nobody can be told; everything is reported again afterwards.
    connection.client.pageCapture.report({ place, pageId, report: { devices, captures } }).catch(() => {});
  };
  const readDevices = () => {
    const reading = navigator.mediaDevices?.enumerateDevices === undefined ? Promise.resolve([]) : listDevices();
    reading
      .then((found) => {
        devices = found;
        report();
      })
      .catch(() => {});
  };
  const follow = () => {
    const snapshot = served.get();
    if (snapshot.kind !== 'known' || snapshot.value === told) return;
    told = snapshot.value;
    const orders = told.kind === 'works' ? told.captures : [];
    for (const [captureId, runner] of runners) {
      const order = orders.find((other) => other.captureId === captureId);
      if (order?.attempt === runner.attempt) continue;
      runner.stop();
      runners.delete(captureId);
    }
    for (const capture of orders) {
      if (runners.has(capture.captureId)) continue;
      const runner = new CaptureRunner({
        capture,
        connect: (hello) => openCaptureSocket(connection.client, hello),
        onState: ({ kind }) => {
          report();
          // Names are known only once a device was allowed.
          if (kind === 'open') readDevices();
        },
      });
      runners.set(capture.captureId, runner);
    }
    report();
  };

  const served = createLiveValue(connection, (client, signal) => client.pageCapture.serve({ place, pageId }, { signal }));
  served.subscribe(follow);
  navigator.mediaDevices?.addEventListener('devicechange', readDevices);
  readDevices();

  return {
    work: () => shown,
    onChange: listeners.on,
    choose: (captureId) => runners.get(captureId)?.choose(),
    stop: (captureId) => runners.get(captureId)?.endSharing(),
  };
}

/** The captures, with states that the runners know before the service does. */
function withStates(told: CapturePageOrders, runners: ReadonlyMap<string, CaptureRunner>): CapturePageOrders {
  if (told.kind === 'replaced') return told;
  return {
    ...told,
    captures: told.captures.map((order) => ({ ...order, state: runners.get(order.captureId)?.state ?? order.state })),
  };
}
