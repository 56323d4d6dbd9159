import { expect, test } from 'vitest';
import { EncodeSettings, encodePresets } from '../../../shared/model/encode-settings.ts';
import { testSource } from '../../../shared/model/source.ts';
import { chooseKind, initialEncodeDraft, parseEncodeDraft, takeOverEncode } from './encode-draft.ts';

const byHand: EncodeSettings = {
  width: 1920,
  height: 1080,
  fps: 50,
  videoBitrateBps: 5_200_000,
  keyframeSeconds: 2,
  audioBitrateBps: 128_000,
};

test('what runs now comes before what ran last, and nothing means automatic', () => {
  const lastChoice = { source: testSource, encode: { kind: 'preset', name: '1440p30' } } as const;
  const running = { kind: 'starting', source: testSource, encode: { kind: 'by-hand', settings: byHand }, since: 1 } as const;
  const parse = (live: Parameters<typeof initialEncodeDraft>[0]) => parseEncodeDraft(initialEncodeDraft(live));
  expect([parse({ oneClick: running, lastChoice }), parse({ oneClick: { kind: 'idle' }, lastChoice })]).toEqual([
    { choice: { kind: 'by-hand', settings: byHand } },
    { choice: { kind: 'preset', name: '1440p30' } },
  ]);
  expect(parse({ oneClick: { kind: 'idle' } })).toEqual({ choice: { kind: 'automatic' } });
});

test('what is on air is taken over, whatever was chosen before', () => {
  const chosen = chooseKind(initialEncodeDraft({ oneClick: { kind: 'idle' } }), '2160p60', undefined);
  for (const onAir of [
    { kind: 'automatic' },
    { kind: 'preset', name: '1440p30' },
    { kind: 'by-hand', settings: byHand },
  ] as const) {
    expect(parseEncodeDraft(takeOverEncode(chosen, onAir))).toEqual({ choice: onAir });
  }
  const typed = { ...chooseKind(chosen, 'automatic', undefined), fps: '5' };
  expect(takeOverEncode(typed, { kind: 'automatic' })).toEqual(typed);
});

test('custom settings begin with those that were in effect', () => {
  const automatic = initialEncodeDraft({ oneClick: { kind: 'idle' } });
  expect(parseEncodeDraft(chooseKind(automatic, 'by-hand', byHand))).toEqual({
    choice: { kind: 'by-hand', settings: byHand },
  });
  expect(parseEncodeDraft(chooseKind(chooseKind(automatic, '2160p60', undefined), 'by-hand', undefined))).toEqual({
    choice: { kind: 'by-hand', settings: encodePresets['2160p60'] },
  });
  // The settings in effect may still be those before the preset.
  expect(parseEncodeDraft(chooseKind(chooseKind(automatic, '720p30', byHand), 'by-hand', byHand))).toEqual({
    choice: { kind: 'by-hand', settings: encodePresets['720p30'] },
  });
});

test('each field out of bounds says how to be right', () => {
  const draft = chooseKind(initialEncodeDraft({ oneClick: { kind: 'idle' } }), 'by-hand', byHand);
  expect(parseEncodeDraft({ ...draft, fps: '61', videoBitrate: '3000\u00a0kbit/s', audioBitrate: '' })).toEqual({
    faults: { fps: 'Use 10 to 60.', videoBitrate: 'Use 300 to 50\u202f000.', audioBitrate: 'Use 64 to 320.' },
  });
});

test('whatever the form accepts, the service accepts', () => {
  const draft = chooseKind(initialEncodeDraft({ oneClick: { kind: 'idle' } }), 'by-hand', byHand);
  for (const [fps, videoBitrate, audioBitrate] of [
    ['10', '300', '64'],
    ['60', '50000', '320'],
  ] as const) {
    const parsed = parseEncodeDraft({ ...draft, fps, videoBitrate, audioBitrate });
    expect(
      'choice' in parsed && parsed.choice.kind === 'by-hand' && EncodeSettings.safeParse(parsed.choice.settings).success,
    ).toBe(true);
  }
});
