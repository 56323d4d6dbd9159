import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerAppRequest } from './app-protocol.ts';

let root: string;
let folder: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'app-protocol-'));
  folder = join(root, 'renderer');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await mkdir(join(root, 'renderer-of-another'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await writeFile(join(folder, 'assets', 'app.js'), 'run();');
  await writeFile(join(folder, 'assets', 'tool.exe'), 'MZ');
  await writeFile(join(root, 'secret.json'), '{}');
  await writeFile(join(root, 'renderer-of-another', 'secret.json'), '{}');
});

afterAll(() => rm(root, { recursive: true, force: true }));

const ask = (url: string, init?: RequestInit) =>
  answerAppRequest(new Request(url, init), {
    folder,
    policy: () => "default-src 'none'",
    made: new Map([['/start-failed.html', '<p>Port 1935 is in use.</p>']]),
  });

describe("the app's own scheme", () => {
  test('serves the built page with its type and the policy', async () => {
    const answer = await ask('tallylight://app/');
    expect({ status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }).toEqual({
      status: 200,
      headers: {
        'content-security-policy': "default-src 'none'",
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      },
      body: '<!doctype html>',
    });
    const script = await ask('tallylight://app/assets/app.js?v=1#top');
    expect([script.headers.get('content-type'), await script.text()]).toEqual(['text/javascript; charset=utf-8', 'run();']);
  });

  test('serves the pages made in memory', async () => {
    expect(await (await ask('tallylight://app/start-failed.html')).text()).toBe('<p>Port 1935 is in use.</p>');
  });

  test.each([
    'tallylight://app/../secret.json',
    'tallylight://app/%2e%2e/secret.json',
    'tallylight://app/..%2fsecret.json',
    'tallylight://app/assets/..%2f..%2fsecret.json',
    'tallylight://app/..%2frenderer-of-another%2fsecret.json',
    'tallylight://app/..%5csecret.json',
    'tallylight://app/%00',
    'tallylight://app/index.html%00.js',
    'tallylight://app/%E0%A4%A',
    'tallylight://app/assets/',
    'tallylight://app/assets/missing.js',
    'tallylight://app/assets/tool.exe',
    'tallylight://other/index.html',
  ])('answers 404 for %s', async (url) => {
    const answer = await ask(url);
    expect([answer.status, await answer.text()]).toEqual([404, 'Page not found.']);
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'");
  });

  test('answers no other method', async () => {
    expect((await ask('tallylight://app/', { method: 'POST', body: 'x' })).status).toBe(405);
  });
});
