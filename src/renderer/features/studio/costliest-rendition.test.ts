import { expect, test } from 'vitest';
import type { RenditionView } from '../../../shared/model/live.ts';
import { findCostliest } from './costliest-rendition.ts';

const rendition = (name: string, width: number, state: RenditionView['state']): RenditionView => ({
  asked: { name, width, height: 100, bitrate: 1_000_000, fps: 0 },
  state,
});

test('the largest rendition being made is chosen, until none is left', () => {
  const small = rendition('small', 200, 'running');
  expect(findCostliest([rendition('gone', 900, 'shed'), small, rendition('large', 400, 'waiting')])?.asked.name).toBe('large');
  expect(findCostliest([rendition('large', 400, 'left-out'), small])).toBe(small);
  expect(findCostliest([rendition('large', 400, 'left-out'), rendition('small', 200, 'given-up')])).toBeUndefined();
});
