import type { RenditionView } from '../../../shared/model/live.ts';

const pixels = ({ asked }: RenditionView) => asked.width * asked.height;

/** What one press leaves out: the largest of the renditions that are made. */
export function findCostliest(renditions: readonly RenditionView[]): RenditionView | undefined {
  return renditions
    .filter(({ state }) => state === 'running' || state === 'waiting')
    .toSorted((one, other) => pixels(other) - pixels(one))[0];
}
