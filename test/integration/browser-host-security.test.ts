import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runTallylight, startTestHost, type TestHost } from '../support/headless-host.ts';
import { openHostContract, readSession } from '../support/host-contract.ts';
import { sendRequest, sendUpgrade } from '../support/http-request.ts';

let host: TestHost;
/** The page's own origin, like `http://127.0.0.1:4600`. */
let origin: string;
let port: string;
let cookie: string;
/** What the page offers when it opens the socket, including its secret. */
let protocols: string;
let usedUrl: string;

beforeAll(async () => {
  host = await startTestHost();
  usedUrl = host.ready.uiUrl;
  ({ origin, port } = new URL(usedUrl));
  const session = readSession(await sendRequest(usedUrl));
  cookie = session.cookie;
  protocols = session.protocols.join(', ');
});
afterAll(() => host.close());

const secret = () => ({ 'Sec-WebSocket-Protocol': protocols });

/** The first script that the page loads. */
async function findScript(): Promise<string> {
  const { body } = await sendRequest(`${origin}/`, { headers: { cookie } });
  return /src="(?:\.?\/)?(assets\/[^"]+\.js)"/.exec(body)?.[1] ?? 'no script in the page';
}

describe('the one-time token', () => {
  test('is traded for a session cookie hidden from scripts, and a page secret that is in no address', async () => {
    const { uiUrl } = await host.getEvent('ui-url');
    const { status, headers, body } = await sendRequest(String(uiUrl));
    expect(status).toBe(200);
    expect(body.match(/data-secret="[\w-]{43}"/g)).toHaveLength(1);
    expect(body.replace(/data-secret="[^"]*"/, '')).not.toMatch(/[\w-]{43}/);
    expect([headers.refresh, headers.location]).toEqual([undefined, undefined]);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; frame-ancestors 'none'$/,
    );
    expect(headers['set-cookie']).toEqual([
      // 400 days, in seconds.
      expect.stringMatching(new RegExp(`^tallylight_${port}=[\\w-]{43}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict$`)),
    ]);
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
  });

  test("its cookie lasts longer than the browser's run, and starts over with each load of the page", async () => {
    const { headers } = await sendRequest(`${origin}/`, { headers: { cookie } });
    expect(headers['set-cookie']).toEqual([`${cookie}; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict`]);
  });

  test('works once: a used URL is refused with a sentence, and a new one is printed', async () => {
    const again = await sendRequest(usedUrl);
    expect(again.status).toBe(403);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.body).toBe('This address was already used or is incomplete. Open the last one that Tallylight printed.\n');
    expect((await host.getEvent('ui-url')).uiUrl).not.toBe(usedUrl);
  });

  test.each(['', 'a', 'A'.repeat(43), '../', '%00', 'a&token=b'])('rejects the guess "%s"', async (guess) => {
    const { status, headers } = await sendRequest(`${origin}/?token=${guess}`);
    expect(status).toBe(403);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('is not used up by HEAD, which link previews send', async () => {
    const next = await startTestHost();
    expect((await sendRequest(next.ready.uiUrl, { method: 'HEAD' })).status).toBe(403);
    expect((await sendRequest(next.ready.uiUrl)).status).toBe(200);
    await next.close();
  });
});

describe('the command line', () => {
  const issue = () => runTallylight(['address', '--data-dir', host.dataFolder]);

  test('prints an address that opens one browser, and leaves the printed one valid', async () => {
    const printed = host.lines.length;
    const { exitCode, stdout, stderr } = await issue();
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/\\?token=[\\w-]{43}\\n$`));
    const issued = stdout.trim();
    // A link preview doesn't use it up, and only one of two browsers gets it.
    expect((await sendRequest(issued, { method: 'HEAD' })).status).toBe(403);
    const both = await Promise.all([sendRequest(issued), sendRequest(issued)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    const { cookie: own } = readSession(both[0].status === 200 ? both[0] : both[1]);
    expect((await sendRequest(`${origin}/`, { headers: { cookie: own } })).status).toBe(200);
    expect(host.lines).toHaveLength(printed);
  });

  test('prints none once the host has ended', async () => {
    const ended = await startTestHost();
    await ended.kill();
    const { exitCode, stdout, stderr } = await runTallylight(['address', '--data-dir', ended.dataFolder]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toBe(
      `tallylight: No Tallylight with its screens in a browser is running with the data folder ${ended.dataFolder}. Start one, or use another --data-dir.\n`,
    );
    rmSync(ended.dataFolder, { recursive: true });
  });
});

describe('a second user of the computer, who has no session', () => {
  test('gets no page, no script and no socket', async () => {
    const script = await findScript();
    for (const path of ['', script, 'index.html', 'build', 'assets/', 'assets/../index.html', 'contract']) {
      const { status, body } = await sendRequest(`${origin}/${path}`);
      expect([path, status >= 400]).toEqual([path, true]);
      expect(body).not.toMatch(/<script|function|import/);
    }
    expect(await sendRequest(`${origin}/`)).toMatchObject({
      status: 403,
      body: 'This browser has no session. Open the last address that Tallylight printed.\n',
    });
    expect((await sendUpgrade(`${origin}/contract`, { Origin: origin })).status).toBe(403);
  });

  test('gets nothing for a made-up cookie', async () => {
    const made = `tallylight_${port}=${'A'.repeat(43)}`;
    expect((await sendRequest(`${origin}/`, { headers: { cookie: made } })).status).toBe(403);
    expect((await sendUpgrade(`${origin}/contract`, { Origin: origin, cookie: made, ...secret() })).status).toBe(403);
  });
});

describe('a program on another port of this computer, to which browsers send our cookie', () => {
  test('gets no socket and no page with it', async () => {
    const made = { 'Sec-WebSocket-Protocol': `tallylight, session.${'A'.repeat(43)}` };
    const noSecret = { 'Sec-WebSocket-Protocol': 'tallylight' };
    for (const offered of [{}, noSecret, made, { 'Sec-WebSocket-Protocol': `tallylight, session.${cookie.split('=')[1]}` }]) {
      expect((await sendUpgrade(`${origin}/contract`, { Origin: origin, cookie, ...offered })).status).toBe(403);
    }
    expect((await sendRequest(`${origin}/session`, { headers: { cookie } })).status).toBe(403);
  });

  test("gets none with another session's secret, nor with a secret alone", async () => {
    const next = await startTestHost();
    const other = readSession(await sendRequest(next.ready.uiUrl));
    await next.close();
    const offered = { 'Sec-WebSocket-Protocol': other.protocols.join(', ') };
    expect((await sendUpgrade(`${origin}/contract`, { Origin: origin, cookie, ...offered })).status).toBe(403);
    expect((await sendUpgrade(`${origin}/contract`, { Origin: origin, ...secret() })).status).toBe(403);
  });
});

describe('the browser with the session', () => {
  test('has its page recognised, and the socket speaks the contract without echoing the secret', async () => {
    const authorization = `Bearer ${protocols.split('session.')[1]}`;
    expect((await sendRequest(`${origin}/session`, { headers: { cookie, authorization } })).status).toBe(204);
    const { headers } = await sendUpgrade(`${origin}/contract`, { Origin: origin, cookie, ...secret() });
    expect(headers['sec-websocket-protocol']).toBe('tallylight');
  });

  test('gets the page and its files with headers against framing, sniffing and leaking', async () => {
    const page = await sendRequest(`${origin}/`, { headers: { cookie } });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = {
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    };
    expect(page.headers).toMatchObject({ ...policy, 'cache-control': 'no-store' });
    const script = await sendRequest(`${origin}/${await findScript()}`, { headers: { cookie } });
    expect(script.status).toBe(200);
    expect(script.headers).toMatchObject({ ...policy, 'cache-control': 'private, max-age=31536000, immutable' });
  });

  test('gets a policy without inline scripts, and the page has none', async () => {
    const { headers, body } = await sendRequest(`${origin}/`, { headers: { cookie } });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|javascript:/i);
  });

  test('speaks the contract over the socket', async () => {
    const { uiUrl } = await host.getEvent('ui-url', 1);
    using contract = await openHostContract(String(uiUrl));
    const created = await contract.app.stream.create({ name: 'Sunday show' });
    expect(created).toMatchObject({ name: 'Sunday show', isActive: false });
  });
});

describe('a web page in the same browser', () => {
  test.each(['http://evil.example', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1', 'http://localhost.evil.example'])(
    'of origin %s gets no socket, even though the browser sends our cookie',
    async (foreign) => {
      expect((await sendUpgrade(`${origin}/contract`, { Origin: foreign, cookie, ...secret() })).status).toBe(403);
    },
  );

  test("gets no socket without an origin, or under a different name of ours than the page's", async () => {
    expect((await sendUpgrade(`${origin}/contract`, { cookie, ...secret() })).status).toBe(403);
    expect((await sendUpgrade(`${origin}/contract`, { Origin: `http://localhost:${port}`, cookie, ...secret() })).status).toBe(
      403,
    );
    expect((await sendUpgrade(`${origin}/contract`, { Origin: origin, cookie, ...secret() })).status).toBe(101);
  });

  test('cannot read the API or the page: only playback answers with CORS headers', async () => {
    const headers = { Origin: 'http://evil.example', cookie };
    for (const path of ['/', '/api/nothing', '/api/stream', '/api/ingest', '/api/openapi.json', '/healthz', '/contract']) {
      const answer = await sendRequest(`${origin}${path}`, { headers });
      expect([path, answer.headers['access-control-allow-origin']]).toEqual([path, undefined]);
      const preflight = await sendRequest(`${origin}${path}`, {
        method: 'OPTIONS',
        headers: { ...headers, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' },
      });
      expect([path, preflight.headers['access-control-allow-origin']]).toEqual([path, undefined]);
    }
    const playback = await sendRequest(`${origin}/hls/nosuchplaybackid/index.m3u8`, { headers });
    expect(playback.headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a rebound DNS name', () => {
  test.each(['evil.example', 'evil.example:PORT', '127.0.0.1.evil.example:PORT', 'localhost:1', '169.254.169.254:PORT'])(
    '%s gets nothing, whatever it sends',
    async (template) => {
      const named = template.replace('PORT', port);
      const headers = { Host: named, cookie, ...secret() };
      for (const path of ['/', '/build', `/${await findScript()}`, '/contract']) {
        const { status, body } = await sendRequest(`${origin}${path}`, { headers });
        expect([path, status]).toEqual([path, path === '/contract' ? expect.any(Number) : 403]);
        expect(body).not.toMatch(/<script|function/);
      }
      expect((await sendUpgrade(`${origin}/contract`, { ...headers, Origin: `http://${named}` })).status).toBe(403);
      const { uiUrl } = await host.getEvent('ui-url');
      expect((await sendRequest(String(uiUrl), { headers: { Host: named } })).headers['set-cookie']).toBeUndefined();
    },
  );

  test('localhost is accepted, with a socket of that origin', async () => {
    const headers = { Host: `localhost:${port}`, cookie, ...secret() };
    expect((await sendRequest(`${origin}/`, { headers })).status).toBe(200);
    expect((await sendUpgrade(`${origin}/contract`, { ...headers, Origin: `http://localhost:${port}` })).status).toBe(101);
  });
});

test('a link from another site is forwarded once by our own page, since it carries no Strict cookies', async () => {
  const fromElsewhere = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' };
  const { status, headers } = await sendRequest(`${origin}/`, { headers: fromElsewhere });
  expect(status).toBe(403);
  expect(headers.refresh).toBe('0; url=/');
  expect((await sendRequest(`${origin}/`)).headers.refresh).toBeUndefined();
});

test('the log contains no token and no cookie', () => {
  const log = readFileSync(`${host.dataFolder}/logs/tallylight.log`, 'utf8');
  const token = new URL(usedUrl).searchParams.get('token');
  expect(log).not.toContain(token);
  expect(log).not.toContain(cookie.split('=')[1]);
  expect(log).not.toContain(protocols.split('session.')[1]);
});
