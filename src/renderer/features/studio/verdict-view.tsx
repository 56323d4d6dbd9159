import type { ReactNode } from 'react';
import { isSilence } from '../../../shared/is-silence.ts';
import type { StreamLive } from '../../../shared/model/views.ts';
import { adviceForKeyframes } from '../../../shared/words/arrival-verdict-words.ts';
import { describeVerdict } from '../../../shared/words/verdict-words.ts';
import { AcceptSilence } from './accept-silence.tsx';
import { canChangeRenditions, FewerRenditions } from './fewer-renditions.tsx';
import { VerdictBox } from './verdict-box.tsx';

/** The one thing to say about a running broadcast. */
export function VerdictView({ live, clockOffsetMs }: { live: StreamLive; clockOffsetMs: number }) {
  const { verdict, stream } = live;
  if (verdict !== undefined) {
    const { title, sentence } = describeVerdict(verdict, clockOffsetMs);
    return (
      <VerdictBox severity={verdict.severity} title={title} action={findAction(live)}>
        {sentence}
      </VerdictBox>
    );
  }
  if (stream.air.kind === 'connecting' && stream.air.awaiting === 'keyframe') {
    return (
      <VerdictBox severity={undefined} title="Waiting for a keyframe">
        The encoder is sending. Its picture can be shown from its next keyframe. {adviceForKeyframes}
      </VerdictBox>
    );
  }
  return (
    <VerdictBox severity={undefined} title="Getting ready">
      The first numbers arrive with the first picture.
    </VerdictBox>
  );
}

/** The buttons that fix the trouble. */
function findAction(live: StreamLive): ReactNode {
  const renditions = canChangeRenditions(live) ? <FewerRenditions live={live} /> : undefined;
  if (!isSilence(live.verdict)) return renditions;
  return (
    <>
      <AcceptSilence live={live} />
      {renditions}
    </>
  );
}

/** What to know while the service is unreachable, or can't tell the stream's state; the status bar says for how long. */
export function LostContactView({ refusal }: { refusal: string | undefined }) {
  return refusal === undefined ? (
    <VerdictBox severity="warn" title="The service isn't responding">
      Broadcasts don't need this page. They continue while the service runs.
    </VerdictBox>
  ) : (
    <VerdictBox severity="warn" title="The service can't read the stream's state">
      {`${refusal} What you see is from before. Tallylight keeps asking.`}
    </VerdictBox>
  );
}
