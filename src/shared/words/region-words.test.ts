import { expect, test } from 'vitest';
import type { FieldFault, NetworkFault } from '../model/region.ts';
import { describeFieldFault, networkFaultWords } from './region-words.ts';

/** Every fault of a field, with its sentence. */
const fieldWords: { [Code in FieldFault['code']]: [Extract<FieldFault, { code: Code }>, string] } = {
  'no-region-code': [{ code: 'no-region-code' }, 'Use the three-letter code of a nearby airport, like ber.'],
  'no-base-url': [
    { code: 'no-base-url', example: 'https://ber-cdn.example.com' },
    'Use a URL like "https://ber-cdn.example.com", without a slash at its end.',
  ],
  'too-long': [{ code: 'too-long' }, 'Use a URL of at most 2048 characters.'],
  'listed-twice': [{ code: 'listed-twice' }, 'Use another code: each region can be listed only once.'],
  'names-other': [{ code: 'names-other', region: 'jfk', named: 'sin' }, 'Use a URL of region jfk: this one names sin.'],
  'url-taken': [{ code: 'url-taken' }, 'Use another URL: another region already has this one.'],
  'host-differs': [{ code: 'host-differs' }, 'Use the same host and port as in the base URL.'],
  'too-many': [{ code: 'too-many' }, 'The list is full. Remove another region first.'],
};

test.each(Object.values(fieldWords))('the words of %j', (fault, sentence) => expect(describeFieldFault(fault)).toBe(sentence));

test('a network that cannot be added says how to be right', () => {
  expect(networkFaultWords).toEqual({
    'listed-twice': 'This network is already listed.',
    'no-network': 'Use a network like 203.0.113.0/24 or 2001:db8::/32.',
  } satisfies Record<NetworkFault, string>);
});
