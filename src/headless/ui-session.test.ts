import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectPrivate } from '../../test/support/expect-private.ts';
import { keepSessions } from '../../test/support/kept-sessions.ts';
import { openSessionFile, type SessionFile } from './session-file.ts';
import { UiSessions } from './ui-session.ts';

const dayMs = 24 * 60 * 60 * 1000;
const clock = { time: 1_700_000_000_000, now: () => clock.time };

function openSessions(maxSessions?: number, file?: SessionFile) {
  const tokens: string[] = [];
  const onToken = (token: string) => tokens.push(token);
  const sessions = new UiSessions({ onToken, clock, ...(maxSessions && { maxSessions }), ...(file && { file }) });
  tokens.push(sessions.firstToken);
  return { sessions, tokens };
}

describe('over a restart', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ui-sessions-'));
    path = join(folder, 'sessions.json');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const start = () => {
    const file = openSessionFile(path, { warn: () => {} });
    return { ...openSessions(undefined, file), flush: file.flush };
  };

  test('a slow disk delays nothing: only the newest sessions are written', async () => {
    const { sessions, tokens, flush } = start();
    const all = [0, 1, 2].map((turn) => sessions.exchange(tokens[turn === 0 ? 0 : tokens.length - 1]!)!);
    expect(existsSync(path)).toBe(false);
    await flush();
    const again = start();
    expect(all.map(({ cookie }) => again.sessions.isValid(cookie))).toEqual([true, true, true]);
  });

  test('a browser keeps its session, and a used token stays used', async () => {
    const before = start();
    const session = before.sessions.exchange(before.tokens[0]!)!;
    await before.flush();
    const { sessions } = start();
    expect([sessions.isValid(session.cookie), sessions.isValidPage(session)]).toEqual([true, true]);
    expect(sessions.isValidPage({ ...session, pageSecret: session.cookie })).toBe(false);
    expect(sessions.exchange(before.tokens[0]!)).toBeUndefined();
    expect(sessions.exchange(before.tokens[1]!)).toBeUndefined();
  });

  test('the file opens nothing, and is readable by the user only', async () => {
    const { sessions, tokens, flush } = start();
    const session = sessions.exchange(tokens[0]!)!;
    await flush();
    const text = readFileSync(path, 'utf8');
    for (const secret of [...tokens, session.cookie, session.pageSecret]) expect(text).not.toContain(secret);
    for (const { cookieHash, pageHash } of JSON.parse(text)) {
      expect(start().sessions.isValidPage({ cookie: cookieHash, pageSecret: pageHash })).toBe(false);
    }
    expectPrivate(path);
  });

  test('a session ends after 30 days without use, and not before', async () => {
    const before = start();
    const [used, unused] = [before.sessions.exchange(before.tokens.at(-1)!)!, before.sessions.exchange(before.tokens.at(-1)!)!];
    clock.time += 20 * dayMs;
    expect(before.sessions.isValid(used.cookie)).toBe(true);
    clock.time += 20 * dayMs;
    await before.flush();
    const { sessions } = start();
    expect([sessions.isValid(used.cookie), sessions.isValid(unused.cookie)]).toEqual([true, false]);
  });

  test('browsers that are used often, but for less than an hour after each start, stay signed in', async () => {
    const first = start();
    const cookies = [0, 1].map(() => first.sessions.exchange(first.tokens.at(-1)!)!.cookie);
    await first.flush();
    const valid: boolean[][] = [];
    for (let starts = 0; starts < 3; starts += 1) {
      clock.time += 20 * dayMs;
      const { sessions, flush } = start();
      valid.push(
        cookies.map((cookie) => {
          clock.time += 10 * 60 * 1000;
          return sessions.isValid(cookie);
        }),
      );
      await flush();
    }
    expect(valid).toEqual([0, 1, 2].map(() => [true, true]));
  });

  test('sessions are gone with the file, and a damaged or unwritable file is reported', async () => {
    const before = start();
    const session = before.sessions.exchange(before.tokens[0]!)!;
    await before.flush();
    const warnings: unknown[] = [];
    const log = { warn: (...given: unknown[]) => void warnings.push(given[1]) };
    writeFileSync(path, '[{"cookieHash":"short"}]');
    expect(openSessions(undefined, openSessionFile(path, log)).sessions.isValid(session.cookie)).toBe(false);
    rmSync(path);
    const file = openSessionFile(join(folder, 'gone', 'sessions.json'), log);
    const again = openSessions(undefined, file);
    expect(again.sessions.isValid(session.cookie)).toBe(false);
    expect(again.sessions.exchange(again.tokens[0]!)).toBeDefined();
    await file.flush();
    expect(warnings).toEqual([
      'Saved browser sessions cannot be read; each browser needs a new URL',
      'Browser sessions cannot be saved and will not survive a restart',
    ]);
  });
});

test('a token opens a single session, and its successor is reported', () => {
  const { sessions, tokens } = openSessions();
  const first = sessions.exchange(tokens[0]!);
  expect(sessions.isValid(first?.cookie)).toBe(true);
  expect(sessions.exchange(tokens[0]!)).toBeUndefined();
  expect(tokens).toHaveLength(2);
  const second = sessions.exchange(tokens[1]!);
  expect(sessions.isValid(second?.cookie)).toBe(true);
  expect(new Set([...tokens, ...Object.values(first ?? {}), ...Object.values(second ?? {})]).size).toBe(7);
});

test('other text is neither a token nor a session', () => {
  const { sessions, tokens } = openSessions();
  for (const guess of ['', 'a', tokens[0]!.slice(1), `${tokens[0]}a`, tokens[0]!.toUpperCase()]) {
    expect(sessions.exchange(guess)).toBeUndefined();
    expect(sessions.isValid(guess)).toBe(false);
    expect(sessions.isValidPage({ cookie: guess, pageSecret: guess })).toBe(false);
  }
  expect(sessions.isValid(undefined)).toBe(false);
  expect(sessions.isValid(tokens[0])).toBe(false);
  expect(tokens).toHaveLength(1);
});

test('beyond the bound the least recently used session is dropped', () => {
  const { sessions, tokens } = openSessions(2);
  const open = () => sessions.exchange(tokens.at(-1)!)?.cookie;
  const [a, b] = [open(), open()];
  expect(sessions.isValid(a)).toBe(true);
  const c = open();
  expect([a, b, c].map((session) => sessions.isValid(session))).toEqual([true, false, true]);
});

test('beyond the bound a session with an open page stays, and so does the one that begins', () => {
  const { sessions, tokens } = openSessions(2);
  const open = () => sessions.exchange(tokens.at(-1)!)!.cookie;
  const a = open();
  const [page, other] = [sessions.openPage(a), sessions.openPage(a)];
  const [b, c] = [open(), open()];
  expect([a, b, c].map((session) => sessions.isValid(session))).toEqual([true, false, true]);
  sessions.openPage(c);
  const d = open();
  expect([a, c, d].map((session) => sessions.isValid(session))).toEqual([true, true, true]);
  other.close();
  const e = open();
  expect([a, c, d, e].map((session) => sessions.isValid(session))).toEqual([true, true, false, true]);
  page.close();
  const f = open();
  expect([a, c, e, f].map((session) => sessions.isValid(session))).toEqual([false, true, false, true]);
});

test('a session is used for as long as a page of it is open, whatever the clock is set to', () => {
  const { sessions, tokens } = openSessions();
  const { cookie } = sessions.exchange(tokens[0]!)!;
  const page = sessions.openPage(cookie);
  clock.time += 31 * dayMs;
  expect(sessions.isValid(cookie)).toBe(true);
  clock.time += 31 * dayMs;
  page.close();
  expect(sessions.isValid(cookie)).toBe(true);
  clock.time += 31 * dayMs;
  expect(sessions.isValid(cookie)).toBe(false);
});

test('a clock that is wrong for a while ends no session', () => {
  const file = keepSessions();
  const { sessions, tokens } = openSessions(undefined, file);
  const before = sessions.exchange(tokens.at(-1)!)!;
  clock.time += 40 * dayMs;
  expect(sessions.isValid(before.cookie)).toBe(false);
  const meanwhile = sessions.exchange(tokens.at(-1)!)!;
  clock.time -= 40 * dayMs;
  const restarted = openSessions(undefined, file).sessions;
  for (const { cookie } of [before, meanwhile]) {
    expect([sessions, restarted].map((each) => each.isValid(cookie))).toEqual([true, true]);
  }
});

test('a use after the clock was set back is stored', () => {
  const file = keepSessions();
  clock.time += 40 * dayMs;
  const { sessions, tokens } = openSessions(undefined, file);
  const { cookie } = sessions.exchange(tokens[0]!)!;
  clock.time -= 40 * dayMs;
  sessions.isValid(cookie);
  expect(file.kept).toMatchObject([{ lastUsedAt: clock.time }]);
});

test('secrets are 256 bits, safe in a URL and a cookie', () => {
  const { sessions, tokens } = openSessions();
  expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  const secret = expect.stringMatching(/^[\w-]{43}$/);
  expect(sessions.exchange(tokens[0]!)).toEqual({ cookie: secret, pageSecret: secret });
});

test('a page needs the cookie and the secret of the same session', () => {
  const { sessions, tokens } = openSessions();
  const open = () => sessions.exchange(tokens.at(-1)!)!;
  const [one, other] = [open(), open()];
  expect(sessions.isValidPage(one)).toBe(true);
  expect(sessions.isValidPage(other)).toBe(true);
  expect(sessions.isValidPage({ ...one, pageSecret: other.pageSecret })).toBe(false);
  expect(sessions.isValidPage({ ...one, pageSecret: one.cookie })).toBe(false);
  expect(sessions.isValidPage({ ...one, pageSecret: undefined })).toBe(false);
  expect(sessions.isValidPage({ ...one, cookie: undefined })).toBe(false);
});
