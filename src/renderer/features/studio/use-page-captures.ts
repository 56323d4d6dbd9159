import { useEffect, useMemo, useRef } from 'react';
import type { PageCapture, PageCaptureOrder, PlaceCaptures } from '../../../shared/model/page-capture.ts';
import { findCapturePlace } from '../../client/capture-place.ts';
import type { Failure } from '../../client/failure.ts';
import { isDesktopPage } from '../../client/is-desktop-page.ts';
import { type Action, useAction } from '../../hooks/use-action.ts';
import { useLiveValue } from '../../hooks/use-live-value.ts';
import { useStore } from '../../store/store-context.tsx';

/** Captures of pages, for the screens that order them. */
export interface PageCapturesHook extends Omit<PlaceCaptures, 'captures' | 'elsewhere'> {
  /** Whether the app captures, in a window of its own; otherwise a tab of this browser does. */
  isApp: boolean;
  /** Where they run. */
  place: string;
  /** A capture of this place, or one of `holds` in any place. */
  find(captureId: string): PageCapture | undefined;
  /** Whether nobody captures it any more; false until that is known. */
  isGone(captureId: string): boolean;
  /** Orders a capture that needs no question, and passes on its id. It is also pending after `ask`. */
  order: Pick<Action<[order: PageCaptureOrder, onOrdered: (captureId: string) => void]>, 'run' | 'isPending'>;
  /** Why the last capture, of any part of the source, wasn't ordered or asked for again. */
  failure: Failure | undefined;
  /** Orders a capture that the user has to choose, which a browser asks in the capture tab. Call it in the handler of their press. */
  ask(order: PageCaptureOrder, onOrdered: (captureId: string) => void): void;
  /** Asks for a capture again, likewise. */
  askAgain(captureId: string): void;
  /** Opens the capture tab, or shows it if it is open. */
  openTab(): void;
}

/** The captures of this page's place; `holds` stay open while the component is mounted. */
export function usePageCaptures(holds: readonly string[]): PageCapturesHook {
  const store = useStore();
  const place = useMemo(() => findCapturePlace(window), []);
  const key = holds.join(' ');
  const watched = useMemo(() => store.pageCaptures(place, key === '' ? [] : key.split(' ')), [store, place, key]);
  const snapshot = useLiveValue(watched);
  const { captures, elsewhere, ...known } = snapshot.kind === 'known' ? snapshot.value : nothing;
  const isApp = isDesktopPage(window);
  // Ordered here, but not reported yet.
  const ordered = useRef(new Set<string>());
  const find = (captureId: string) => [...captures, ...elsewhere].find((capture) => capture.captureId === captureId);
  useEffect(() => {
    for (const { captureId } of captures) ordered.current.delete(captureId);
  });
  const order = useAction(async (client, wanted: PageCaptureOrder, onOrdered: (captureId: string) => void) => {
    const { captureId } = await client.pageCapture.order({ place, order: wanted });
    ordered.current.add(captureId);
    onOrdered(captureId);
  });
  const again = useAction((client, captureId: string) => client.pageCapture.again({ captureId }));
  /** A browser asks in the capture tab, and opens that only on a press. */
  const showQuestion = () => {
    if (!isApp) openTab();
  };
  return {
    ...known,
    isApp,
    place,
    find,
    isGone: (captureId) => snapshot.kind === 'known' && !find(captureId) && !ordered.current.has(captureId),
    order,
    failure: order.failure ?? again.failure,
    ask(wanted, onOrdered) {
      showQuestion();
      again.clear();
      void order.run(wanted, onOrdered);
    },
    askAgain(captureId) {
      showQuestion();
      order.clear();
      void again.run(captureId);
    },
    openTab,
  };
}

const nothing: PlaceCaptures = { captures: [], elsewhere: [], devices: [] };

/** One tab per browser: a second press goes to the one that is open, without reloading it. */
function openTab(): void {
  const tab = window.open('', 'tallylight-capture');
  if (tab === null) return;
  if (tab.location.href === 'about:blank') tab.location.replace(new URL('/capture.html', window.location.href));
  tab.focus();
}
