import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSegmentStore } from '../../../test/support/create-segment-store.ts';
import { recommendedProfiles } from '../../shared/model/profile.ts';
import { SegmentPlan } from '../hls/segment-plan.ts';
import { onFault } from '../lib/faults.ts';
import type { PlacedUnit } from '../media/media-unit.ts';
import { PublisherRendition } from './publisher-rendition.ts';
import { createRenditions } from './rendition.ts';

let faults: string[];
let off: () => void;
beforeEach(() => {
  faults = [];
  off = onFault(({ during }) => faults.push(during));
});
afterEach(() => off());

test('if a bug hits one call that was held back, the calls behind it are still made', () => {
  const store = createSegmentStore();
  const leave = vi.spyOn(store, 'leave');
  const [rendition] = createRenditions(recommendedProfiles.slice(0, 1), () => store);
  if (rendition === undefined) throw new Error('There is no rendition.');
  const made = new PublisherRendition(rendition, new SegmentPlan(0), () => {});
  made.onUnit(undefined as unknown as PlacedUnit);
  made.onLeave({ atOnce: false });
  expect(leave).not.toHaveBeenCalled();
  made.open();
  expect(leave).toHaveBeenCalledOnce();
  expect(faults).toEqual(['taking what was encoded meanwhile']);
});
