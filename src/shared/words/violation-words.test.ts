import { expect, test } from 'vitest';
import type { Violation, ViolationOf } from '../model/violation.ts';
import { describeViolation, explainViolations, summarizeViolations } from './violation-words.ts';

const path = ['profiles', 0, 'width'];

/** Every violation, with the public interface's answer. */
const words: { [Code in Violation['code']]: [ViolationOf<Code>, string][] } = {
  'unknown-property': [
    [{ code: 'unknown-property', path: ['colour'] }, 'colour: cannot be set here'],
    [{ code: 'unknown-property', path: ['a key', 'b'] }, '["a key"].b: cannot be set here'],
  ],
  required: [
    [{ code: 'required', path: ['name'] }, 'name: is required'],
    [{ code: 'required', path: [] }, 'body: is required'],
  ],
  'wrong-type': [
    [{ code: 'wrong-type', path, type: 'int' }, 'profiles[0].width: must be a whole number'],
    [{ code: 'wrong-type', path: ['record'], type: 'boolean' }, 'record: must be true or false'],
    [{ code: 'wrong-type', path: ['at'], type: 'date' }, 'at: must be date'],
  ],
  'too-small': [
    [{ code: 'too-small', path, of: 'value', least: 128 }, 'profiles[0].width: must be at least 128'],
    [{ code: 'too-small', path: ['name'], of: 'length', least: 1 }, 'name: must be at least 1 character long'],
  ],
  'too-big': [
    [{ code: 'too-big', path: ['name'], of: 'length', most: 500 }, 'name: must be at most 500 characters long'],
    [{ code: 'too-big', path: ['profiles'], of: 'elements', most: 16 }, 'profiles: must have at most 16 elements'],
  ],
  'not-allowed': [
    [{ code: 'not-allowed', path: ['kind'], allowed: ['file', 2, true, null] }, 'kind: must be "file" or 2 or true or null'],
  ],
  'region-without-urls': [
    [
      { code: 'region-without-urls', path: ['regions', 1, 'urls'], region: 'jfk' },
      'regions[1].urls: is required for jfk, since there is no service domain to make the URLs from',
    ],
  ],
  'unknown-region': [
    [
      { code: 'unknown-region', path: ['regionNetworks', 0, 'region'], region: 'jfk' },
      "regionNetworks[0].region: must be a region in the list, and jfk isn't",
    ],
  ],
  'given-at-start': [
    [
      { code: 'given-at-start', path: ['partMs'], source: { kind: 'option', name: '--part-length' } },
      'partMs: is set by the option --part-length',
    ],
  ],
  rule: [[{ code: 'rule', path: ['name'], words: 'must not be blank' }, 'name: must not be blank']],
  'name-reserved': [
    [
      { code: 'name-reserved', path: ['profiles', 2, 'name'] },
      'profiles[2].name: "source" is reserved for the source rendition',
    ],
  ],
  'name-taken': [
    [
      { code: 'name-taken', path: ['profiles', 1, 'name'], name: '720p' },
      'profiles[1].name: "720p" is already used by another profile',
    ],
  ],
  'fps-differs': [
    [
      { code: 'fps-differs', path: ['profiles', 3, 'fps'], fps: 30 },
      'profiles[3].fps: must be 30, as in the first profile: all profiles of a stream share one fps',
    ],
  ],
  more: [[{ code: 'more', count: 17 }, 'and 17 more']],
};

test.each(Object.values(words).flat())('describes %j', (violation, sentence) => {
  expect(describeViolation(violation)).toBe(sentence);
});

test('screens tell where regions are set right, each place once; other violations have their path', () => {
  const unknown = (...path: (string | number)[]): Violation => ({ code: 'unknown-region', path, region: 'ber' });
  const regions: Violation[] = [
    unknown('regionChoice'),
    unknown('regionNetworks', 0, 'region'),
    unknown('regionNetworks', 1, 'region'),
    { code: 'region-without-urls', path: ['regions', 0, 'urls'], region: 'jfk' },
  ];
  expect(explainViolations(regions)).toEqual([
    'Go live is set to BER: choose another region in Regions first.',
    'BER is the nearest region of a network: remove that network in Regions first.',
    'JFK has no URLs of its own: add them in Regions first, or keep a service domain.',
  ]);
  expect(summarizeViolations(regions)).toBe("These settings don't fit together.");
  const mixed: Violation[] = [...regions.slice(0, 1), { code: 'required', path: ['name'] }];
  expect(explainViolations(mixed)[1]).toBe('name: is required');
  expect(summarizeViolations(mixed)).toBe("Some of these values aren't valid.");
});
