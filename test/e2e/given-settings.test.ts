import { expect, test } from 'vitest';
import { openBrowserUi } from '../support/browser-ui.ts';
import { tlsPaths } from '../support/tls-fixtures.ts';

test('settings given at the start are shown with where they were set, and cannot be changed; the others can', async () => {
  const { certificatePath, keyPath } = tlsPaths('first');
  await using ui = await openBrowserUi({
    env: {
      TALLYLIGHT_SERVICE_DOMAIN: 'live.example.com',
      TALLYLIGHT_ENCODER: 'libx264',
      TALLYLIGHT_LOOKAHEAD: 'on',
      TALLYLIGHT_PART_LENGTH: '500',
      TALLYLIGHT_TLS_CERT: certificatePath,
      TALLYLIGHT_TLS_KEY: keyPath,
    },
  });
  await ui.goTo('#/settings');
  const service = ui.page.getByRole('region', { name: 'Service', exact: true });
  const field = (name: string) => service.getByRole('textbox', { name });
  const set = (variable: string) => service.getByText(`Set by the environment variable ${variable}.`);
  await set('TALLYLIGHT_SERVICE_DOMAIN').waitFor();
  const read = async (name: string) => [await field(name).inputValue(), await field(name).isEditable()];
  expect(await read('Service domain')).toEqual(['live.example.com', false]);
  expect(await read('Part length')).toEqual(['500', false]);
  await set('TALLYLIGHT_PART_LENGTH').waitFor();
  // The tests' hosts listen on any free port, requested with 0.
  expect(await read('HTTP port')).toEqual([new URL(ui.host.ready.apiBaseUrl).port, false]);
  await service.getByText('Set by the option --http-port.').waitFor();
  expect(await read('TLS certificate')).toEqual([certificatePath, false]);
  expect(await read('TLS key')).toEqual([keyPath, false]);
  await ui.page.getByText(/HTTPS and RTMPS, with a certificate that expires on 2126-\d\d-\d\d$/).waitFor();
  const lookahead = service.getByRole('checkbox', { name: /^Look ahead/ });
  expect([await lookahead.isChecked(), await lookahead.isEnabled()]).toEqual([true, false]);
  await set('TALLYLIGHT_LOOKAHEAD').waitFor();
  expect(await service.getByRole('combobox', { name: 'Encoder' }).isEnabled()).toBe(false);
  await set('TALLYLIGHT_ENCODER').waitFor();

  await field('Reconnect window').fill('70');
  await service.getByRole('button', { name: 'Save' }).click();
  await ui.page.getByText('Settings saved').first().waitFor();
  await ui.page.reload();
  await set('TALLYLIGHT_SERVICE_DOMAIN').waitFor();
  expect(await read('Reconnect window')).toEqual(['70', true]);
  expect(ui.complaints).toEqual([]);
});
