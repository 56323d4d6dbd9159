import { expect, test } from 'vitest';
import type { AirState } from '../../../shared/model/live.ts';
import { mediaIsBack, usualCodecs } from '../../../shared/words/advice-words.ts';
import { describeAir } from '../../status/air-status.ts';
import { describeHold, describeIdle, describeTileHold, type HoldFacts } from './hold-sentence.ts';

const onAir: AirState = { kind: 'on-air', since: 0, sessionId: 's' };
const lost: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1_000, until: 61_000 };
const back = (how: 'connected' | 'sending'): AirState => ({
  kind: 'reconnecting',
  since: 0,
  sessionId: 's',
  lostAt: 1,
  back: how,
});

/** Another program's broadcast is on air, and packaged here. */
const usual: HoldFacts = {
  air: onAir,
  oneClick: 'idle',
  isElsewhere: false,
  isLost: false,
  isUnheard: false,
  isWall: false,
};

test('without media it says what viewers see and why; only the bar counts seconds', () => {
  const silent: AirState = { ...onAir, silentSince: 1_000 };
  const unplayable = [silent, back('sending')].map((air) => ({ ...air, unplayable: 'unusable' }) as const);
  const words = [lost, silent, back('connected'), back('sending'), ...unplayable].map((air) =>
    describeHold('no-segment', 4.7, { ...usual, air }),
  );
  const title = 'Viewers see this picture';
  expect(words).toEqual([
    { title, sentence: "They'll see nothing new until the encoder is back." },
    { title, sentence: "The encoder is connected but isn't sending." },
    { title, sentence: "The encoder is connected but isn't sending." },
    { title, sentence: `${mediaIsBack.theirs}. The picture follows in a moment.` },
    ...unplayable.map(() => ({ title, sentence: "The encoder is sending, but its media can't be played." })),
  ]);
});

const lostWords = {
  ours: ['Reconnecting', "They'll see nothing new until the ingest takes your media again."],
  theirs: ['Signal lost', "They'll see nothing new until the encoder is back."],
  stopped: ['Stopping', 'The broadcast is ending.'],
};
const backWords = {
  ours: ['Reconnected', `${mediaIsBack.ours}. The picture follows in a moment.`],
  theirs: ['Encoder back', `${mediaIsBack.theirs}. The picture follows in a moment.`],
  stopped: lostWords.stopped,
};

test.each([
  ['idle', 'theirs', 'theirs'],
  ['starting', 'ours', 'ours'],
  ['running', 'ours', 'ours'],
  // It still tries its ingest again: if media arrives, another program sends it.
  ['retrying', 'ours', 'theirs'],
  ['stopping', 'stopped', 'stopped'],
  ['failed', 'theirs', 'theirs'],
] as const)(
  'while one click is %s, the monitor says the same of the encoder as the status bar, here and elsewhere',
  (oneClick, whoIsLost, whoIsBack) => {
    const say = (air: AirState, isElsewhere: boolean) => [
      describeAir({ air, ...(oneClick !== 'idle' && { oneClick }) }).word,
      describeHold('no-segment', 4.7, { ...usual, air, oneClick, isElsewhere }).sentence,
    ];
    for (const isElsewhere of [false, true]) {
      expect(say(lost, isElsewhere)).toEqual(lostWords[whoIsLost]);
      expect(say(back('sending'), isElsewhere)).toEqual(backWords[whoIsBack]);
    }
  },
);

test('over the wall nothing is said of the one picture, since tiles may have stayed black', () => {
  const over = (air: AirState, isLost: boolean) =>
    describeHold('no-segment', 4.7, { ...usual, air, isLost, isWall: true }).title;
  expect([over(lost, false), over(onAir, true)]).toEqual(['Viewers see the last picture', 'No contact']);
});

test("elsewhere, the encoder is not blamed for what its service doesn't play", () => {
  const silent: AirState = { ...onAir, silentSince: 1_000 };
  expect(describeHold('no-segment', 4.7, { ...usual, air: silent, isElsewhere: true }).sentence).toBe(
    'Nothing new arrives from the service that plays it.',
  );
});

test('each reason has its own words while on air', () => {
  const titles = (['no-segment', 'unreachable', 'undecodable', 'stuck'] as const).map(
    (reason) => describeHold(reason, 0.2, usual).title,
  );
  expect(titles).toEqual([
    'Nothing new for 1\u00a0s',
    "The playback URL isn't responding",
    "This stream can't be decoded",
    'The picture has stopped',
  ]);
});

test('OBS is not advised while one click sends, which always makes H.264 and AAC', () => {
  const kinds = ['running', 'stopping', 'idle'] as const;
  expect(kinds.map((oneClick) => describeHold('undecodable', 1, { ...usual, oneClick }).sentence)).toEqual([
    'The monitor restarts its player. If this continues, reload this page.',
    'The monitor restarts its player. If this continues, reload this page.',
    `The monitor restarts its player. If this continues, ${usualCodecs}.`,
  ]);
});

test('a lost service is not called on air', () => {
  const words = (['no-segment', 'unreachable', 'stuck'] as const).map((reason) =>
    describeHold(reason, 7, { ...usual, isLost: true }),
  );
  const gone = {
    title: 'The last picture',
    sentence: 'Nothing new is arriving: Tallylight was closed or the network is down. The monitor keeps trying.',
  };
  expect(words).toEqual([gone, gone, expect.objectContaining({ title: 'The picture has stopped' })]);
});

test('a stream is not called on air while its service does not say so, whatever it was', () => {
  const over = (isWall: boolean, air: AirState) =>
    describeHold('no-segment', 7, { ...usual, air, isElsewhere: true, isUnheard: true, isWall });
  const sentence =
    "Nothing new is arriving, and the service doesn't say whether the stream is on air. The monitor keeps trying.";
  expect([over(false, onAir), over(false, lost), over(true, onAir)]).toEqual([
    { title: 'The last picture', sentence },
    { title: 'The last picture', sentence },
    { title: 'No contact', sentence },
  ]);
});

test('what arrives is not explained by what the service said before', () => {
  const over = (isLost: boolean) => describeHold('stuck', 7, { ...usual, air: lost, isLost, isUnheard: !isLost }).title;
  expect([over(true), over(false)]).toEqual(['The picture has stopped', 'The picture has stopped']);
});

test('off air it says what is awaited, without promising a picture while the ingest is unreachable', () => {
  const off: AirState = { kind: 'off-air' };
  const connecting: AirState = { kind: 'connecting', since: 1 };
  const facts = { isSuspended: false, isRetrying: false, isLost: false };
  expect([
    describeIdle({ ...facts, air: connecting }),
    describeIdle({ ...facts, air: { ...connecting, awaiting: 'keyframe' } }),
    describeIdle({ ...facts, air: { ...connecting, awaiting: 'playlist' } }),
    describeIdle({ ...facts, air: { kind: 'on-air', since: 1, sessionId: 'one' } }),
    describeIdle({ ...facts, air: off, isRetrying: true }),
    describeIdle({ ...facts, air: off, isSuspended: true }),
    describeIdle({ ...facts, air: off }),
    describeIdle({ ...facts, air: off, isLost: true }),
  ]).toEqual([
    { title: 'Connecting', sentence: 'The picture appears in a few seconds.', sign: 'busy' },
    {
      title: 'Waiting for a keyframe',
      sentence: 'The encoder is sending. The picture starts with its next keyframe.',
      sign: 'busy',
    },
    {
      title: 'No picture from that region',
      sentence: "The region takes your media, but its playlist can't be read from here. Tallylight keeps trying.",
      sign: 'busy',
    },
    {
      title: 'No playback URL yet',
      sentence: "The service hasn't said which region is nearest. Tallylight keeps asking.",
      sign: 'busy',
    },
    { title: 'Not on air yet', sentence: 'Viewers see nothing until the ingest responds.', sign: 'busy' },
    { title: 'Suspended', sentence: 'This stream refuses every encoder until you resume it.', sign: 'pause' },
    { title: 'Off air', sentence: "You'll see what viewers see here once you go live.", sign: 'off' },
    { title: 'No contact', sentence: "This page can't tell whether the stream is on air.", sign: 'off' },
  ]);
});

test('a tile of the wall that holds while the others play says why in a few words', () => {
  expect((['no-segment', 'unreachable', 'undecodable', 'stuck'] as const).map(describeTileHold)).toEqual([
    'Nothing new arrives here',
    'Nothing new arrives here',
    "This browser can't decode it",
    'The picture has stopped',
  ]);
});
