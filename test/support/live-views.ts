import { StreamViews, type ViewSources } from '../../src/service/handlers/stream-views.ts';
import { SleepWatch } from '../../src/service/lib/sleep-watch.ts';
import type { Clock } from '../../src/service/ports.ts';
import type { LiveStage } from './live-stage.ts';

/**
 * A stage's stream as screens see it by the stage's clock, without a store, which the verdicts of each second must not read. `sources`
 * replace the empty ones.
 */
export function openLiveViews(
  { stream, options }: LiveStage,
  sources: { [Name in keyof ViewSources]?: Partial<ViewSources[Name]> } = {},
): { views: StreamViews; clock: Clock } {
  const { clock } = options;
  const views = new StreamViews({
    routes: { view: () => undefined, air: () => undefined, moving: () => undefined, lost: () => undefined },
    registry: { findLive: () => stream, areTakingTurns: () => false },
    silences: { holds: () => false },
    oneClicks: { state: () => ({ kind: 'idle' }) },
    choices: { find: () => undefined, save: () => {} },
    playReports: { rest: () => {}, ignoreStalls: () => {}, of: () => [] },
    sleepWatch: new SleepWatch(clock),
    clock,
    ...sources,
  } as unknown as ViewSources);
  return { views, clock };
}
