import { expect, test } from 'vitest';
import type { AirState, RenditionView } from '../../shared/model/live.ts';
import {
  describeMeasured,
  describeRendition,
  formatPictureSize,
  formatRate,
  formatSentSize,
  summarizeLadder,
} from './rendition-status.ts';

const onAir: AirState = { kind: 'on-air', since: 0, sessionId: 's' };
const lost: AirState = { kind: 'reconnecting', since: 0, sessionId: 's', lostAt: 1_000, until: 61_000 };
const asked = { name: '720p', bitrate: 3_000_000, fps: 0, width: 1280, height: 720 };
const running: RenditionView = {
  asked,
  name: '720p',
  state: 'running',
  bitrateBps: 2_941_300,
  fps: 29.97,
  width: 960,
  height: 720,
  keyframeIntervalSeconds: 1.001,
};

test('a rendition shows its measurements against its profile, and a dash where there is none', () => {
  expect(describeMeasured(running)).toBe('2\u202f941 of 3\u202f000\u00a0kbit/s · 30\u00a0fps · keyframes 1.0\u00a0s');
  expect(describeMeasured({ asked, state: 'waiting' })).toBe('– of 3\u202f000\u00a0kbit/s · –\u00a0fps · keyframes –\u00a0s');
});

test("the profile's frame rate is shown if the measured one differs", () => {
  const measured = (fps: number) => describeMeasured({ ...running, asked: { ...asked, fps: 30 }, fps });
  expect(measured(24.02)).toContain('24 of 30\u00a0fps');
  expect(measured(30.01)).toContain(' 30\u00a0fps');
});

test("a profile's bitrate in kbit/s is read as such", () => {
  expect(describeMeasured({ ...running, asked: { ...asked, bitrate: 800 } })).toContain('of 800\u00a0kbit/s');
  expect(formatRate(3_012_400)).toBe('3\u202f012\u00a0kbit/s');
});

test("the size is the measured one, else the profile's", () => {
  expect([formatPictureSize(running), formatPictureSize({ asked, state: 'waiting' })]).toEqual(['960 × 720', '1280 × 720']);
});

test('the size of incoming media is shown once it is known', () => {
  const sent = [{ measuredAt: 1, width: 1920, height: 1080 }, { measuredAt: 1, height: 1080 }, { measuredAt: 1 }, undefined];
  expect(sent.map(formatSentSize)).toEqual(['1920 × 1080', undefined, undefined, undefined]);
});

test('a rendition that is not running says why', () => {
  const states = ['running', 'waiting', 'shed', 'resting', 'given-up'] as const;
  expect(states.map((state) => describeRendition(state, onAir, false))).toEqual([
    { kind: 'good', word: 'Running' },
    { kind: 'waiting', word: 'Waiting', sentence: "Its next segment hasn't arrived yet" },
    { kind: 'warn', word: 'Paused', sentence: "The computer can't keep up right now" },
    { kind: 'bad', word: 'Retrying', sentence: "ffmpeg keeps failing. It's tried again within minutes." },
    { kind: 'bad', word: 'Failed', sentence: "It can't be encoded. “What happened” says why." },
  ]);
});

test('a rendition whose encoder is lost waits for it, even if it is still called running, or would be tried again', () => {
  const waiting = { kind: 'waiting', word: 'Waiting', sentence: 'No media arrives' };
  expect((['running', 'waiting', 'resting', 'shed'] as const).map((state) => describeRendition(state, lost, false))).toEqual([
    waiting,
    waiting,
    waiting,
    describeRendition('shed', onAir, false),
  ]);
});

test('without contact nothing is known of any rendition', () => {
  for (const state of ['running', 'waiting', 'shed', 'given-up'] as const) {
    expect(describeRendition(state, onAir, true).word).toBe('No contact');
  }
});

test('a ladder is counted by state, without empty states', () => {
  const summarize = (states: RenditionView['state'][], air: AirState, isUnheard: boolean) =>
    summarizeLadder(
      states.map((state) => ({ asked, state })),
      air,
      isUnheard,
    );
  const ladder = (...states: RenditionView['state'][]) => summarize(states, onAir, false);
  expect([ladder('running', 'running', 'running'), ladder('given-up', 'running', 'shed', 'running')]).toEqual([
    '3 running',
    '2 running · 1 paused · 1 failed',
  ]);
  expect([
    summarize(['running', 'waiting', 'shed'], lost, false),
    summarize(['running', 'shed'], onAir, true),
    summarize([], onAir, true),
  ]).toEqual(['2 waiting · 1 paused', 'no contact', '']);
});
