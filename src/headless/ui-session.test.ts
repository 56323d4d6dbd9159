import { expect, test } from 'vitest';
import { UiSessions } from './ui-session.ts';

function openSessions(maxSessions?: number) {
  const tokens: string[] = [];
  const sessions = new UiSessions({ onToken: (token) => tokens.push(token), ...(maxSessions && { maxSessions }) });
  tokens.push(sessions.firstToken);
  return { sessions, tokens };
}

test('a token opens one session and no second; its successor is told', () => {
  const { sessions, tokens } = openSessions();
  const first = sessions.exchange(tokens[0]!);
  expect(sessions.isValid(first?.cookie)).toBe(true);
  expect(sessions.exchange(tokens[0]!)).toBeUndefined();
  expect(tokens).toHaveLength(2);
  const second = sessions.exchange(tokens[1]!);
  expect(sessions.isValid(second?.cookie)).toBe(true);
  expect(new Set([...tokens, ...Object.values(first ?? {}), ...Object.values(second ?? {})]).size).toBe(7);
});

test('no other text is a token or a session', () => {
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

test('past the bound the session that was longest unused goes', () => {
  const { sessions, tokens } = openSessions(2);
  const open = () => sessions.exchange(tokens.at(-1)!)?.cookie;
  const [a, b] = [open(), open()];
  expect(sessions.isValid(a)).toBe(true);
  const c = open();
  expect([a, b, c].map((session) => sessions.isValid(session))).toEqual([true, false, true]);
});

test('secrets are 256 bits that a URL and a cookie can carry', () => {
  const { sessions, tokens } = openSessions();
  expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  const secret = expect.stringMatching(/^[\w-]{43}$/);
  expect(sessions.exchange(tokens[0]!)).toEqual({ cookie: secret, pageSecret: secret });
});

test('a page is one that has the cookie and the secret of the same session', () => {
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
