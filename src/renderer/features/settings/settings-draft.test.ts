import { expect, test } from 'vitest';
import type { Settings } from '../../../shared/model/settings.ts';
import { settingAdvice } from '../../../shared/words/setting-words.ts';
import { draftOfSettings, isEdited, parseSettings, withEdit, withoutSaved } from './settings-draft.ts';

const current: Settings = {
  httpPort: 4600,
  rtmpPort: 1935,
  regionCode: 'ber',
  regions: [],
  regionNetworks: [],
  regionChoice: 'automatic',
  changesRegion: false,
  reconnectWindowSeconds: 60,
  liveWindowSeconds: 60,
  partMs: 200,
  encoder: 'automatic',
  lookahead: false,
  loudnessTargetLufs: -16,
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

test('the loudness target is a negative number, with either minus sign', () => {
  expect(draft.loudnessTargetLufs).toBe('-16');
  expect(parseSettings({ ...draft, loudnessTargetLufs: '−23' }, current)).toEqual({ changes: { loudnessTargetLufs: -23 } });
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
    tlsCertificatePath: 'cert.pem',
    tlsKeyPath: 'key.pem',
    reconnectWindowSeconds: '4',
    liveWindowSeconds: '',
    partMs: '99',
    encoder: 'h264_unknown',
    lookahead: 'perhaps',
    loudnessTargetLufs: '16',
  };
  const { regions: _, regionNetworks: __, regionChoice: ___, changesRegion: ____, ...advice } = settingAdvice;
  expect(parseSettings(wrong, current)).toEqual({ faults: advice });
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

test('a field that is put back is no edit: it follows the settings again', () => {
  const edited = withEdit({ encoder: 'libx264' }, 'partMs', '300', current);
  expect(edited).toEqual({ encoder: 'libx264', partMs: '300' });
  expect(withEdit(edited, 'partMs', ' 200 ', current)).toEqual({ encoder: 'libx264', partMs: ' 200 ' });
  expect(withEdit(edited, 'partMs', '200', current)).toEqual({ encoder: 'libx264' });
  // Another page has saved the same meanwhile.
  expect(withEdit(edited, 'httpPort', '4601', { ...current, partMs: 300 })).toEqual({ encoder: 'libx264', httpPort: '4601' });
});

test('what was typed while a save was on its way stays, even if it was put back', () => {
  const saved = { partMs: '300' };
  expect(withoutSaved({ ...saved, httpPort: '4601' }, saved)).toEqual({ httpPort: '4601' });
  expect(withoutSaved({ partMs: '200' }, saved)).toEqual({ partMs: '200' });
});
