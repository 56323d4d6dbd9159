import { expect } from 'vitest';
import type { StageReport, Verdict } from '../../src/shared/model/verdict.ts';
import type { StreamLive } from '../../src/shared/model/views.ts';

type SoundStage = Extract<StageReport, { code: 'capturing-sound' | 'encoding-sound' }>;

/**
 * Expects this verdict on a stream's sound, and the same at its stage. After pauses on a busy computer, or while it keeps losing many
 * frames, the stream has a worse verdict for a minute: then only the stage is checked.
 */
export async function expectSoundTrouble(
  watch: (is: (live: StreamLive) => boolean) => Promise<StreamLive>,
  stage: Pick<SoundStage, 'stage' | 'code'>,
  expected: Verdict,
): Promise<void> {
  const arrivesBadly = ({ verdict }: StreamLive) =>
    verdict?.code.startsWith('arrives-') || (verdict?.code === 'frames-missing' && verdict.severity === 'bad');
  const findStage = ({ stages }: StreamLive) => stages.find(({ code }) => code === stage.code) as SoundStage | undefined;
  const live = await watch(
    (live) => findStage(live)?.trouble === expected.code && (live.verdict?.code === expected.code || arrivesBadly(live)),
  );
  const isIngestBad = live.stages.some((each) => each.stage === 'ingest' && each.severity === 'bad');
  // Lost frames don't hide silence: it is as bad as they are.
  const verdict = expected.code === 'silent' && isIngestBad ? { ...expected, severity: 'bad' } : expected;
  expect({ stage: findStage(live), verdict: live.verdict }).toEqual({
    stage: { ...stage, severity: 'warn', trouble: expected.code },
    verdict: arrivesBadly(live) ? live.verdict : verdict,
  });
}
