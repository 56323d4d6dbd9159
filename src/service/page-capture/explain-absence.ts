import { assertNever } from '../../shared/assert-never.ts';
import type { CaptureFault } from '../../shared/model/capture.ts';
import { appPlace, type PageCapture, type PageCaptureFailure, usesPicker } from '../../shared/model/page-capture.ts';

/**
 * Why a page sends nothing for a capture. `hasEnded`: its page is there and reports that the track ended. No capture: it was closed, or
 * the service has restarted.
 */
export function explainAbsence(
  capture: Pick<PageCapture, 'place' | 'order' | 'state'> | undefined,
  hasEnded = false,
): CaptureFault {
  if (capture === undefined) return { code: 'share-ended' };
  const { place, order, state } = capture;
  switch (state.kind) {
    case 'failed':
      return explainFailure(state.failure);
    case 'ended':
      return { code: 'share-ended' };
    case 'waiting':
      return { code: place === appPlace ? 'reopening' : 'page-closed' };
    case 'asking':
      // Every open asks for permission, and the answer is usually already given.
      return { code: usesPicker(order) ? 'asking' : 'reopening' };
    case 'open':
      if (!hasEnded) return { code: 'reopening' };
      return { code: usesPicker(order) ? 'share-ended' : 'gone' };
    default:
      return assertNever(state);
  }
}

function explainFailure(failure: PageCaptureFailure): CaptureFault {
  switch (failure.code) {
    case 'not-found':
      return { code: 'gone' };
    case 'insecure':
      return { code: 'unsupported' };
    case 'broken':
      return { code: 'failed', detail: failure.detail };
    default:
      return { code: failure.code };
  }
}
