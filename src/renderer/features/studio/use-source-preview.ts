import { useEffect, useState } from 'react';
import type { SourcePreview } from '../../../shared/model/capture.ts';
import type { Source } from '../../../shared/model/source.ts';
import { useStore } from '../../store/store-context.tsx';

/** A slider that moves changes the source many times a second; the devices follow once it rests. */
const settleMs = 250;

/** Whether a source has nothing to check: the test picture and its tone are always the same. */
function isTest({ picture, sound }: Source): boolean {
  const { main, inset } = picture;
  return main.kind === 'test-picture' && inset === undefined && sound.inputs.every(({ of }) => of.kind === 'test-tone');
}

/**
 * What the source looks and sounds like now; undefined until that is known, and without a source. The last preview stays until that of a
 * changed source arrives. The test picture is shown once: it would cost a core's share for as long as Studio is open. While nobody sees
 * it, no device is open for it; the last picture stays until the next.
 */
export function useSourcePreview(source: Source | undefined, isSeen: boolean): SourcePreview | undefined {
  const store = useStore();
  const [shown, setShown] = useState<{ asked: string; preview: SourcePreview }>();
  // Compared by content: each render makes new objects.
  const asked = source === undefined ? undefined : JSON.stringify(source);
  useEffect(() => {
    if (asked === undefined) return setShown(undefined);
    if (!isSeen) return;
    let leave = () => {};
    const timer = setTimeout(() => {
      const watchedSource = JSON.parse(asked) as Source;
      const watched = store.preview(watchedSource);
      leave = watched.subscribe(() => {
        const snapshot = watched.get();
        if (snapshot.kind !== 'known') return;
        setShown((last) => ({
          asked,
          preview: last?.asked === asked ? { ...last.preview, ...snapshot.value } : snapshot.value,
        }));
        if (snapshot.value.jpeg !== undefined && isTest(watchedSource)) leave();
      });
    }, settleMs);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [asked, isSeen, store]);
  return shown?.preview;
}
