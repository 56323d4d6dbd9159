import { useEffect, useRef } from 'react';
import type { StreamLive } from '../../../shared/model/views.ts';
import { useLatest } from '../../hooks/use-latest.ts';
import { useSameByContent } from '../../hooks/use-same-by-content.ts';
import { type Choice, takeOver } from './choice.ts';

/**
 * The next broadcast begins with the source that this one ended with. Takes over one click's source, whoever chose it; with an encoder on
 * air, and no source ever chosen, the choice is the encoder.
 */
export function useWhatIsOnAir(
  { stream, oneClick, lastChoice }: StreamLive,
  choice: Choice,
  setChoice: (choice: Choice) => void,
): void {
  // A source that failed is taken over again when it is tried again.
  const taken = useSameByContent(
    'source' in oneClick ? { hasFailed: oneClick.kind === 'failed', source: oneClick.source } : undefined,
  );
  // If one click failed before this page opened, the choice may have moved on since.
  const failedBefore = useRef(oneClick.kind === 'failed' ? taken : undefined);
  const isOfEncoder = stream.air.kind === 'on-air' && oneClick.kind === 'idle' && lastChoice === undefined;
  const latest = useLatest({ choice, setChoice });
  useEffect(() => {
    const { choice, setChoice } = latest.current;
    const isOld = taken !== undefined && taken === failedBefore.current;
    if (!isOld) failedBefore.current = undefined;
    if (taken !== undefined && !isOld) setChoice(takeOver(choice, taken.source));
    else if (isOfEncoder) setChoice({ ...choice, way: 'encoder' });
  }, [taken, isOfEncoder, latest]);
}
