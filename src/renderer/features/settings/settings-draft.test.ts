import { expect, test } from 'vitest';
import type { Settings } from '../../../shared/model/settings.ts';
import { draftOfSettings, isEdited, parseSettings } from './settings-draft.ts';

const current: Settings = {
  httpPort: 4600,
  rtmpPort: 1935,
  regionCode: 'ber',
  reconnectWindowSeconds: 60,
  liveWindowSeconds: 60,
  partMs: 200,
  encoder: 'automatic',
  lookahead: false,
};
const draft = draftOfSettings(current);

test('an untouched form changes nothing, and only changes are sent', () => {
  expect(parseSettings(draft, current)).toEqual({ changes: {} });
  expect(parseSettings({ ...draft, rtmpPort: ' 1936 ', regionCode: 'FRA' }, current)).toEqual({
    changes: { rtmpPort: 1936, regionCode: 'fra' },
  });
});

test('lookahead is switched on and off', () => {
  expect(parseSettings({ ...draft, lookahead: 'on' }, current)).toEqual({ changes: { lookahead: true } });
  const looking = { ...current, lookahead: true };
  expect(draftOfSettings(looking).lookahead).toBe('on');
  expect(parseSettings({ ...draftOfSettings(looking), lookahead: 'off' }, looking)).toEqual({ changes: { lookahead: false } });
});

test('a domain is set, and cleared by emptying it', () => {
  expect(parseSettings({ ...draft, serviceDomain: 'Live.Example.com' }, current)).toEqual({
    changes: { serviceDomain: 'live.example.com' },
  });
  expect(parseSettings(draft, { ...current, serviceDomain: 'live.example.com' })).toEqual({ changes: { serviceDomain: '' } });
});

test('every fault says how to fix it', () => {
  const wrong = {
    httpPort: '0',
    rtmpPort: '65536',
    regionCode: 'berl',
    serviceDomain: 'no',
    reconnectWindowSeconds: '4',
    liveWindowSeconds: '',
    partMs: '99',
    encoder: 'h264_unknown',
    lookahead: 'perhaps',
  };
  expect(parseSettings(wrong, current)).toEqual({
    faults: {
      httpPort: 'Use a port from 1 to 65535.',
      rtmpPort: 'Use a port from 1 to 65535.',
      regionCode: 'Use the three-letter code of a nearby airport, like ber.',
      serviceDomain: 'Use a domain name, like live.example.com, or leave it empty.',
      reconnectWindowSeconds: 'Use 5 to 75 seconds.',
      liveWindowSeconds: 'Use 60 seconds to 4 hours (14400).',
      partMs: 'Use 100 to 1000 milliseconds.',
      encoder: 'Choose one of the encoders in the list.',
      lookahead: 'Switch it on or off.',
    },
  });
});

test('both services cannot share a port', () => {
  expect(parseSettings({ ...draft, rtmpPort: '4600' }, current)).toEqual({
    faults: { rtmpPort: 'Use a different port from HTTP.' },
  });
  expect(parseSettings({ ...draft, httpPort: '1935' }, current)).toEqual({
    faults: { httpPort: 'Use a different port from RTMP.' },
  });
  // Neither can be changed here: one is given at the start.
  expect(parseSettings({ ...draft, rtmpPort: '4600', partMs: '300' }, { ...current, rtmpPort: 4600 })).toEqual({
    changes: { partMs: 300 },
  });
});

test('only a real change counts as edited', () => {
  expect(isEdited(draft, current)).toBe(false);
  expect(isEdited({ ...draft, partMs: ' 200 ' }, current)).toBe(false);
  expect(isEdited({ ...draft, partMs: '' }, current)).toBe(true);
  expect(isEdited({ ...draft, encoder: 'libx264' }, current)).toBe(true);
});
