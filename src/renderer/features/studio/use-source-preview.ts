import { useEffect, useState } from 'react';
import type { AwayPart, SourcePreview } from '../../../shared/model/capture.ts';
import type { Source } from '../../../shared/model/source.ts';
import { hasSameContent } from '../../../shared/same-content.ts';
import { tellWhole } from '../../client/failure.ts';
import { createId } from '../../client/page-id.ts';
import { useSameByContent } from '../../hooks/use-same-by-content.ts';
import { useStore } from '../../store/store-context.tsx';

/** A slider that moves changes the source many times a second; the devices follow once it rests. */
const settleMs = 250;

/** The least time that a test source is watched: a changed preview begins with the old source, whose sound counts in the loudness for 3 s. */
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

/** The next preview of the same source. The picture stays until there is a new one; the loudness doesn't, since it would be stale. */
function update({ meter: _, ...last }: SourcePreview, next: SourcePreview): SourcePreview {
  return { ...last, ...next };
}

/** What is known of a source's preview. */
export interface ShownPreview {
  preview?: SourcePreview;
  /** Why the service doesn't show it, in a sentence. */
  refusal?: string;
  /** Its parts that can't be captured now; empty while that is unknown. */
  away: readonly AwayPart[];
}

const nothing: ShownPreview = { away: [] };

/**
 * What the source looks and sounds like now; undefined until that is known, and without a source. When the source changes, the last preview
 * stays until the new one arrives. The test picture is watched only until its loudness is known: watching it would cost part of a core for
 * as long as Studio is open. While nobody sees the preview, no device is open for it, and the last picture stays until the next.
 */
export function useSourcePreview(source: Source | undefined, isSeen: boolean): ShownPreview {
  const store = useStore();
  // One id per panel: its preview keeps its devices when the source changes, and never takes over another panel's.
  const [previewId] = useState(createId);
  const [shown, setShown] = useState<Omit<ShownPreview, 'away'> & { of: Source }>();
  const asked = useSameByContent(source);
  useEffect(() => {
    if (asked === undefined) return setShown(undefined);
    if (!isSeen) return;
    let leave = () => {};
    const timer = setTimeout(() => {
      const watched = store.preview(asked, previewId);
      const sinceMs = performance.now();
      leave = watched.subscribe(() => {
        const snapshot = watched.get();
        if (snapshot.kind === 'failed') setShown({ of: asked, refusal: tellWhole(snapshot.failure) });
        if (snapshot.kind !== 'known') return;
        setShown((last) => ({
          of: asked,
          preview: last?.preview && hasSameContent(last.of, asked) ? update(last.preview, snapshot.value) : snapshot.value,
        }));
        const isOld = performance.now() - sinceMs > testShownMs;
        if (isOld && isTest(asked) && isKnown(asked, snapshot.value)) leave();
      });
    }, settleMs);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [asked, isSeen, previewId, store]);
  if (shown === undefined) return nothing;
  const { of, ...rest } = shown;
  // The old source's picture may stay for a moment, but its missing parts say nothing about the new source.
  return { ...rest, away: hasSameContent(of, asked) ? (rest.preview?.away ?? []) : [] };
}
