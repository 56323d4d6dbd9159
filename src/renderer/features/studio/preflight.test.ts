import { expect, test } from 'vitest';
import type { EncodeDoubt } from '../../../shared/model/encode-settings.ts';
import type { StreamView } from '../../../shared/model/views.ts';
import { checkPreflight, type Equipment } from './preflight.ts';

const service = {
  ffmpeg: { kind: 'found', path: '/usr/bin/ffmpeg', version: '5.1.6', from: 'PATH' },
  encoders: { used: 'libx264', trials: [{ encoder: 'libx264', works: true, stderr: [] }] },
  playbackBaseUrl: 'http://127.0.0.1:4600/hls',
  regionOrigins: [],
  secrets: 'os',
  source: { away: [], isSoundUnchosen: false, doubts: [] },
} as unknown as Equipment;
const stream = { profiles: [{ name: '720p' }, { name: '360p' }] } as StreamView;

/** The answer and the checks as they read on screen. */
function read(...[live, info]: [Partial<Parameters<typeof checkPreflight>[0]>?, Partial<Equipment>?]): string[] {
  const { severity, title, checks } = checkPreflight({ stream, ...live }, { ...service, ...info }, (atMs) => atMs);
  return [`${title} (${severity})`, ...checks.map((check) => `${check.name}: ${check.text} (${check.severity ?? '·'})`)];
}

/** The answer on a source, as it reads on screen. */
function answer(source: Partial<Equipment['source']>) {
  const equipment = { ...service, source: { ...service.source, ...source } };
  const { severity, title, sentence } = checkPreflight({ stream }, equipment, (atMs) => atMs);
  return [severity, title, sentence];
}

test('everything the next broadcast needs is ready', () => {
  expect(read()).toEqual([
    'Ready to go live (good)',
    'ffmpeg: Found, 5.1.6 (good)',
    'Encoder: x264 works (good)',
    'Renditions: 720p, 360p (·)',
    'Who can watch: This computer only (·)',
    'Last broadcast: None yet (·)',
  ]);
});

test('names of renditions that are read from the right keep their order', () => {
  const profiles = [{ name: 'גבוה' }, { name: 'נמוך' }];
  expect(read({ stream: { profiles } as StreamView })).toContain('Renditions: \u2068גבוה\u2069, \u2068נמוך\u2069 (·)');
});

test('a stream of a remote service depends on that, too, and its past is not known', () => {
  const pair = { ingest: 'rtmps://fra.example.com/live', playback: 'https://fra.example.com/hls' };
  expect(read({ service: { name: 'Team', pair, clockAheadMs: 0 } }, { secrets: 'memory' })).toEqual([
    'Ready to go live (good)',
    'Service: Team answers (good)',
    'ffmpeg: Found, 5.1.6 (good)',
    'Encoder: x264 works (good)',
    'Renditions: 720p, 360p (·)',
    'Who can watch: Everyone who can reach fra.example.com (·)',
  ]);
});

test('without ffmpeg only another program can stream, and no encoder is listed', () => {
  expect(read({}, { ffmpeg: { kind: 'missing', reason: { code: 'not-found' } } }).slice(0, 3)).toEqual([
    'Ready for OBS only (warn)',
    'ffmpeg: Not found (warn)',
    'Renditions: 720p, 360p (·)',
  ]);
});

test('what Go live lacks is named for the stream it is about, and what is still looked for is not missing', () => {
  const say = (live: Parameters<typeof read>[0], code: 'searching' | 'not-found') => {
    const info = { ...service, ffmpeg: { kind: 'missing', reason: { code } } } as Equipment;
    const { title, sentence, checks } = checkPreflight({ stream, ...live }, info, (atMs) => atMs);
    return [title, sentence, checks.find(({ name }) => name === 'ffmpeg')?.text];
  };
  const remote = { service: { name: 'Team', clockAheadMs: 0 } };
  expect([say({}, 'not-found'), say(remote, 'not-found'), say({}, 'searching'), say(remote, 'searching')]).toEqual([
    ['Ready for OBS only', 'Go live and renditions need ffmpeg.', 'Not found'],
    ['Ready for OBS only', 'Go live needs ffmpeg.', 'Not found'],
    ['Ready for OBS only', 'Go live and renditions need ffmpeg. Tallylight is looking for it.', 'Not found yet'],
    ['Ready for OBS only', 'Go live needs ffmpeg. Tallylight is looking for it.', 'Not found yet'],
  ]);
});

test('no encoder works on this computer', () => {
  const lines = read({}, { encoders: { trials: [] } });
  expect([lines[0], lines[2]]).toEqual(['No encoder works here (bad)', 'Encoder: None works (bad)']);
});

test('a part of the source that is away is the answer', () => {
  const device = { part: 'sound', input: 0, kind: 'microphone', name: 'Røde', fault: { code: 'gone' } } as const;
  expect(
    checkPreflight({ stream }, { ...service, source: { ...service.source, away: [device] } }, (atMs) => atMs),
  ).toMatchObject({
    severity: 'warn',
    title: "“Røde” isn't connected",
    sentence: "Viewers wouldn't hear it. Reconnect it, and Tallylight picks it up automatically.",
  });
});

test('a source without sound is the answer if nobody chose that, after a part that is away', () => {
  expect(answer({ isSoundUnchosen: true })).toEqual([
    'warn',
    'No sound is chosen',
    'Viewers would hear nothing. Add a sound if they should.',
  ]);
  const camera = { part: 'picture', kind: 'camera', name: 'Cam', fault: { code: 'gone' } } as const;
  expect(answer({ away: [camera], isSoundUnchosen: true })[1]).toBe("“Cam” isn't connected");
});

test('a quality that the upload or the computer is too slow for is the answer; one that only looks worse is not', () => {
  const answerTo = (...doubts: EncodeDoubt[]) => answer({ doubts });
  const low = { code: 'bitrate-low', usualBps: 6_000_000 } as const;
  const small = { code: 'picture-smaller', width: 640, height: 360 } as const;
  const missed = ['warn', 'Viewers may miss frames'];
  expect(answerTo(low, { code: 'upload-too-small', usableBps: 900_000 })).toEqual([
    ...missed,
    'Your upload can safely carry about 900\u00a0kbit/s. Lower the bitrate, or viewers will miss frames.',
  ]);
  expect(answerTo({ code: 'cores-too-few' }, small)).toEqual([
    ...missed,
    'This computer is too slow for these settings. Choose a smaller picture, fewer frames per second or fewer renditions.',
  ]);
  expect(answerTo(low, small)).toEqual(['good', 'Ready to go live', undefined]);
});

test('a choice that is not complete is the answer', () => {
  expect(answer({ fault: 'no-file', away: [] })).toEqual(['warn', 'No file is chosen', 'Complete the source to go live.']);
  expect(answer({ fault: 'bad-quality', away: [] })).toEqual(['warn', 'A quality setting is wrong', 'Correct it to go live.']);
});

test('a suspended stream comes first', () => {
  expect(read({ stream: { ...stream, suspended: true } })[0]).toBe('Suspended (warn)');
});

test('remote viewers, temporary keys and a lost last broadcast are listed', () => {
  const startedAt = new Date(2026, 10, 21, 20, 11).getTime();
  const lastBroadcast = {
    sessionId: 's',
    startedAt,
    endedAt: startedAt + 91_000,
    onAirMs: 31_000,
    goneMs: 60_000,
    reason: 'ingest-lost',
    severity: 'bad',
  } as const;
  const lines = read(
    { lastBroadcast },
    { playbackBaseUrl: 'https://playback.live.example.com/hls', secrets: 'memory', encoders: undefined },
  );
  expect(lines).toEqual([
    'Ready to go live (good)',
    'ffmpeg: Found, 5.1.6 (good)',
    'Encoder: Testing (·)',
    'Renditions: 720p, 360p (·)',
    'Who can watch: Everyone who can reach playback.live.example.com (·)',
    'Stream key: Changes when Tallylight restarts (warn)',
    'Last broadcast: 21 Nov, 20:11, 31\u00a0s. The encoder was lost. (bad)',
  ]);
});

test('a service bound to all addresses has viewers elsewhere, though it knows only its loopback address', () => {
  expect(read({}, { isOnAllAddresses: true })).toContain('Who can watch: Everyone who can reach this computer (·)');
});

test('with several regions, the audience is labelled as that of this one, since Go live may choose another', () => {
  expect(
    read({}, { regionOrigins: ['https://jfk-cdn.example.com'], playbackBaseUrl: 'https://fra.example.com/hls' }),
  ).toContain('Who can watch in this region: Everyone who can reach fra.example.com (·)');
});
