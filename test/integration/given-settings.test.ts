import { expect, test } from 'vitest';
import { EncoderChoice } from '../../src/shared/model/encoder.ts';
import { runHost, startTestHost } from '../support/headless-host.ts';
import { openHostContract } from '../support/host-contract.ts';
import { makeTestFolder } from '../support/store-stand.ts';
import { waitUntil } from '../support/wait-until.ts';

test.concurrent('a setting with a value it cannot have is refused with those it can, from the option and the environment', async () => {
  const domain = 'Use a domain name, like live.example.com, or leave it empty.';
  const encoders = `Allowed choices are ${EncoderChoice.options.join(', ')}.`;
  const refusals = [
    [['--encoder', 'x265'], {}, `option '--encoder <name>' argument 'x265' is invalid. ${encoders}`],
    [
      [],
      { TALLYLIGHT_SERVICE_DOMAIN: 'https://example.com' },
      `option '--service-domain <domain>' value 'https://example.com' from env 'TALLYLIGHT_SERVICE_DOMAIN' is invalid. ${domain}`,
    ],
  ] as const;
  for (const [args, env, words] of refusals) {
    expect(await runHost(args, env)).toEqual({ exitCode: 1, stdout: '', stderr: `error: ${words}\n` });
  }
});

test.concurrent('settings given as options or in the environment hold over stored ones, which return without them', async () => {
  using folder = makeTestFolder();
  const dataFolder = folder.path;
  const first = await startTestHost({ dataFolder });
  {
    using page = await openHostContract(first.ready.uiUrl);
    await page.app.settings.update({ serviceDomain: 'stored.example.com', regionCode: 'ams', partMs: 300 });
  }
  await first.close();

  const env = { TALLYLIGHT_SERVICE_DOMAIN: 'live.example.com', TALLYLIGHT_REGION: 'ber', TALLYLIGHT_PART_LENGTH: '' };
  const given = await startTestHost({
    dataFolder,
    args: ['--region', 'fra', '--lookahead', 'on', '--loudness-target', '-20'],
    env,
  });
  {
    using page = await openHostContract(given.ready.uiUrl);
    expect(given.ready).toMatchObject({
      ingestBaseUrl: 'rtmp://fra-rtmp.live.example.com/live',
      playbackBaseUrl: 'https://fra-cdn.live.example.com/hls',
    });
    expect(await waitUntil(await page.app.settings.watch(), () => true)).toMatchObject({
      serviceDomain: 'live.example.com',
      regionCode: 'fra',
      lookahead: true,
      loudnessTargetLufs: -20,
      partMs: 300,
    });
    await expect(page.app.settings.update({ regionCode: 'jfk' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      data: {
        violations: [{ code: 'given-at-start', path: ['regionCode'], source: { kind: 'option', name: '--region' } }],
      },
    });
  }
  await given.close();

  await using again = await startTestHost({ dataFolder });
  expect(again.ready.playbackBaseUrl).toBe('https://ams-cdn.stored.example.com/hls');
});
