import { watchValue } from '../lib/watch-value.ts';
import type { HandlerContext, Implementer } from './handler-context.ts';

/** The calls of screens that order captures, and of the pages that make them. */
export function pageCaptureHandlers(os: Implementer, { pageCaptures, pageMedia }: HandlerContext) {
  const watch = <Value>(read: () => Value, signal: AbortSignal) =>
    watchValue(read, { onChange: (listener) => pageCaptures.changes.on(listener), signal });
  return {
    pageCapture: {
      order: os.pageCapture.order.handler(({ input: { place, order } }) => ({ captureId: pageCaptures.order(place, order) })),
      again: os.pageCapture.again.handler(({ input: { captureId } }) => pageCaptures.again(captureId)),
      watch: os.pageCapture.watch.handler(async function* ({ input: { place, holds }, context }) {
        const letGo = pageCaptures.hold(holds);
        try {
          yield* watch(() => pageCaptures.at(place, holds), context.left);
        } finally {
          letGo();
        }
      }),
      serve: os.pageCapture.serve.handler(async function* ({ input: { place, pageId }, context }) {
        const leave = pageCaptures.join(place, pageId);
        try {
          yield* watch(() => pageCaptures.ordersFor(place, pageId), context.left);
        } finally {
          leave();
        }
      }),
      open: os.pageCapture.open.handler(({ input: { captureId, hasVideo, hasAudio } }) => ({
        ticket: pageMedia.giveTicket(captureId, { hasVideo, hasAudio }),
      })),
      report: os.pageCapture.report.handler(({ input: { place, pageId, report } }) =>
        pageCaptures.report(place, pageId, report),
      ),
    },
  };
}
