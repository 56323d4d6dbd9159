import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog, parseLogLevel, strikeOutSecrets } from './log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallylight-log-'));
});
// A log closed right after opening may still create its file in the background while the folder is being removed.
afterEach(() => rmSync(folder, { recursive: true, maxRetries: 5 }));

const readLines = () =>
  readFileSync(join(folder, 'tallylight.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('each line is one JSON object with time, level and message', async () => {
  const { log, close } = await openLog({ folder });
  log.info({ port: 1935 }, 'listening');
  log.debug('not at this level');
  close();
  expect(readLines()).toEqual([
    { level: 30, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), port: 1935, msg: 'listening' },
  ]);
});

test('secret properties are redacted by name at the first three levels', async () => {
  const { log, close } = await openLog({ folder });
  log.info({
    streamKey: 'a',
    stream: { streamKey: 'b', id: 'i' },
    req: { headers: { authorization: 'c', cookie: 'd', 'set-cookie': 'e' } },
  });
  close();
  expect(readLines()).toMatchObject([
    {
      streamKey: '[secret]',
      stream: { streamKey: '[secret]', id: 'i' },
      req: { headers: { authorization: '[secret]', cookie: '[secret]', 'set-cookie': '[secret]' } },
    },
  ]);
});

test('anything that looks like a secret is redacted in any text, including errors and stacks', async () => {
  const { log, close } = await openLog({ folder });
  log.warn({ err: new Error('no stream abcd-1234-efgh-5678') }, 'GET /?token=s3cr3t-Token&x=1 with Bearer abc.def');
  close();
  const text = readFileSync(join(folder, 'tallylight.log'), 'utf8');
  expect(text).not.toMatch(/abcd-1234|s3cr3t|abc\.def/);
  expect(readLines()[0].msg).toBe('GET /?token=[secret]&x=1 with Bearer [secret]');
});

// The log is JSON, where a line break is a backslash and an n.
test.each(['\n', '\r', '\t', '\b', '\f', '\u001b', '"', '\\'])('a secret right after %j is redacted', async (before) => {
  const { log, close } = await openLog({ folder });
  log.warn({ err: new Error(`refused:${before}abcd-1234-efgh-5678`) }, `x${before}Bearer xyz.def`);
  log.warn(`x${before}abcd-1234-efgh-5678${before}Bearer xyz.def`);
  close();
  const text = readFileSync(join(folder, 'tallylight.log'), 'utf8');
  expect(text).not.toMatch(/abcd-1234|xyz\.def/);
  expect(readLines().map(({ msg }) => msg)).toEqual([
    `x${before}Bearer [secret]`,
    `x${before}[secret]${before}Bearer [secret]`,
  ]);
});

test('text after a line break that only looks like a stream key with the n of its escape stays, and the line stays JSON', async () => {
  const { log, close } = await openLog({ folder });
  log.warn('x\nabc-1234-efgh-5678');
  close();
  expect(readLines()).toMatchObject([{ msg: 'x\nabc-1234-efgh-5678' }]);
});

test('ids and dates are not redacted', () => {
  const text = '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d at 2026-11-21T08:35:55Z';
  expect(strikeOutSecrets(text)).toBe(text);
});

test('a paused terminal (Ctrl-S) blocks nothing: lines beyond a limit are dropped and counted', async () => {
  const terminal = new PassThrough({ highWaterMark: 1 });
  const { log, close } = await openLog({ folder, terminal });
  const text = 'x'.repeat(40_000);
  for (let count = 0; count < 20; count += 1) log.info(text);
  const left = terminal.writableLength + terminal.readableLength;
  expect(left).toBeLessThan(700_000);
  terminal.resume();
  await once(terminal, 'drain');
  terminal.pause();
  log.info('again');
  const shown = stripVTControlCharacters(terminal.read().toString());
  expect(shown).toMatch(/WARN: \d lines were not shown because the terminal was paused\.\n.*INFO: again\n$/);
  close();
  expect(readLines()).toHaveLength(21);
});

test('a terminal is switched to non-blocking writes', async () => {
  const blocking: boolean[] = [];
  const terminal = Object.assign(new PassThrough(), { _handle: { setBlocking: (value: boolean) => blocking.push(value) } });
  const { close } = await openLog({ folder, terminal });
  close();
  expect(blocking).toEqual([false]);
});

test('a terminal gets the same log as readable lines', async () => {
  const terminal = new PassThrough();
  const { log, close } = await openLog({ folder, terminal });
  log.info({ port: 1935 }, 'listening with abcd-1234-efgh-5678');
  close();
  const shown = stripVTControlCharacters(terminal.read().toString());
  expect(shown).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: listening with \[secret\]\n {4}port: 1935\n$/);
  expect(readLines()).toHaveLength(1);
});

test('a level is one of those that exist, and info by default', () => {
  expect([parseLogLevel('debug'), parseLogLevel(undefined), parseLogLevel('')]).toEqual(['debug', 'info', 'info']);
  expect(() => parseLogLevel('loud')).toThrow(
    "The log level “loud” doesn't exist. Use one of trace, debug, info, warn, error, fatal, silent.",
  );
});
