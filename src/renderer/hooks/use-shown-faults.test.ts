import { expect, test } from 'vitest';
import { pickShown, type ShownFields, withShown } from './use-shown-faults.ts';

const faults: Readonly<Record<string, string>> = { name: 'Use a name.', url: 'Use a URL.' };

test('a field shows its fault once it was edited', () => {
  const none: ShownFields = new Set();
  expect(pickShown(faults, none)).toEqual({});
  const one = withShown(none, 'url');
  expect(pickShown(faults, one)).toEqual({ url: 'Use a URL.' });
  // A field that isn't wrong has nothing to show.
  expect(pickShown(faults, withShown(one, 'key'))).toEqual({ url: 'Use a URL.' });
  expect(pickShown(faults, withShown(one, 'name'))).toEqual(faults);
});

test('after an attempt to save, all fields show their faults, whatever is edited then', () => {
  expect(pickShown(faults, 'all')).toEqual(faults);
  expect(pickShown(faults, withShown('all', 'name'))).toEqual(faults);
});
