import type { RenditionView } from '../../../shared/model/live.ts';

const pixels = ({ asked }: RenditionView) => asked.width * asked.height;

/** The rendition that one press turns off: the largest one being made. */
export function findCostliest(renditions: readonly RenditionView[]): RenditionView | undefined {
  return renditions
    .filter(({ state }) => state === 'running' || state === 'waiting')
    .toSorted((one, other) => pixels(other) - pixels(one))[0];
}
