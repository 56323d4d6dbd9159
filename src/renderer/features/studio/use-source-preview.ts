import { useEffect, useState } from 'react';
import type { AwayPart, SourcePreview } from '../../../shared/model/capture.ts';
import type { Source } from '../../../shared/model/source.ts';
import { useStore } from '../../store/store-context.tsx';

/** A slider that moves changes the source many times a second; the devices follow once it rests. */
const settleMs = 250;

/** A preview that shows another source at first begins with the one before, whose sound is in the loudness of the next 3 s. */
const testShownMs = 5_000;

/** Whether a source has nothing to check: the test picture and its tone are always the same. */
function isTest({ picture, sound }: Source): boolean {
  const { main, inset } = picture;
  return main.kind === 'test-picture' && inset === undefined && sound.inputs.every(({ of }) => of.kind === 'test-tone');
}

/** Whether the preview is complete: its picture and, with sound, its loudness. */
function isKnown({ sound }: Source, { jpeg, meter }: SourcePreview): boolean {
  const isHeard = meter?.kind === 'unmeasured' || meter?.shortTermLufs !== undefined;
  return jpeg !== undefined && (isHeard || sound.inputs.length === 0);
}

/** The next preview of the same source. Its picture stays until there is another; how loud it was says nothing about now. */
function update({ meter: _, ...last }: SourcePreview, next: SourcePreview): SourcePreview {
  return { ...last, ...next };
}

/** What is known of a source's preview. */
export interface ShownPreview {
  preview?: SourcePreview;
  /** Why the service doesn't show it, in a sentence. */
  refusal?: string;
  /** What of it can't be captured now; empty while that is unknown. */
  away: readonly AwayPart[];
}

const nothing: ShownPreview = { away: [] };

/**
 * What the source looks and sounds like now; undefined until that is known, and without a source. The last preview stays until that of a
 * changed source arrives. The test picture is watched until its loudness is known, and then stays as it was: it would cost a core's
 * share for as long as Studio is open. While nobody sees it, no device is open for it; the last picture stays until the next.
 */
export function useSourcePreview(source: Source | undefined, isSeen: boolean): ShownPreview {
  const store = useStore();
  const [shown, setShown] = useState<Omit<ShownPreview, 'away'> & { asked: string }>();
  // Compared by content: each render makes new objects.
  const asked = source === undefined ? undefined : JSON.stringify(source);
  useEffect(() => {
    if (asked === undefined) return setShown(undefined);
    if (!isSeen) return;
    let leave = () => {};
    const timer = setTimeout(() => {
      const watchedSource = JSON.parse(asked) as Source;
      const watched = store.preview(watchedSource);
      const sinceMs = performance.now();
      leave = watched.subscribe(() => {
        const snapshot = watched.get();
        if (snapshot.kind === 'failed') setShown({ asked, refusal: snapshot.failure.sentence });
        if (snapshot.kind !== 'known') return;
        setShown((last) => ({
          asked,
          preview: last?.asked === asked && last.preview ? update(last.preview, snapshot.value) : snapshot.value,
        }));
        const isOld = performance.now() - sinceMs > testShownMs;
        if (isOld && isTest(watchedSource) && isKnown(watchedSource, snapshot.value)) leave();
      });
    }, settleMs);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [asked, isSeen, store]);
  if (shown === undefined) return nothing;
  const { asked: of, ...rest } = shown;
  // The last picture may stay a moment; what another source lacks is untrue of this one.
  return { ...rest, away: of === asked ? (rest.preview?.away ?? []) : [] };
}
