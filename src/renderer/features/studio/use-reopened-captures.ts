import { useEffect, useRef } from 'react';
import { useLatest } from '../../hooks/use-latest.ts';
import { findGone, type GoneCapture, replaceCapture } from './reopened-captures.ts';
import type { SourceDraft } from './source-draft.ts';
import type { PageCapturesHook } from './use-page-captures.ts';

/** Page captures, and how to reopen those that are gone. */
export interface ReopeningCaptures extends PageCapturesHook {
  reopen(captureId: string): void;
}

/** Reopens the captures of a draft that are gone: automatically if the user need not be asked, the others on `reopen`. */
export function useReopenedCaptures(
  draft: SourceDraft,
  onDraft: (draft: SourceDraft) => void,
  pages: PageCapturesHook,
): ReopeningCaptures {
  const latest = useLatest({ draft, onDraft });
  // Each is reopened automatically only once: if it fails again, the user decides.
  const reopened = useRef(new Set<string>());
  const gone = findGone(draft, pages);
  const reopen = ({ captureId, order }: GoneCapture, run: PageCapturesHook['ask']) => {
    reopened.current.add(captureId);
    run(order, (next) => {
      latest.current.draft = replaceCapture(latest.current.draft, captureId, next);
      latest.current.onDraft(latest.current.draft);
    });
  };
  useEffect(() => {
    for (const each of gone) if (!each.asks && !reopened.current.has(each.captureId)) reopen(each, pages.order.run);
  });
  return {
    ...pages,
    reopen(captureId) {
      const found = gone.find((each) => each.captureId === captureId);
      if (found !== undefined) reopen(found, pages.ask);
    },
  };
}
