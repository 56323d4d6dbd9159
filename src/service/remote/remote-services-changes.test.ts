import { expect, test } from 'vitest';
import { answerShow, apiKey, openRemotes, serve } from '../../../test/support/remote-stand.ts';

test('the list of services reports each change: added, renamed, failing, well again and removed, and each failure once', async () => {
  let status: number | undefined;
  const service = await serve((asked, response) => (status === undefined ? answerShow()(asked, response) : { status }));
  const { services } = await openRemotes();
  let told = 0;
  services.onChange(() => {
    told += 1;
  });
  const seen: unknown[] = [];
  const note = () =>
    seen.push([told, services.list().map(({ name, failure }) => [name, failure && 'status' in failure && failure.status])]);
  const ask = (answered: number | undefined) => {
    status = answered;
    return services
      .get('service1')
      .api.listStreams()
      .catch(() => {});
  };
  await services.add({ name: 'Team', baseUrl: service.baseUrl, apiKey });
  note();
  await services.update('service1', { name: 'Crew' });
  note();
  for (const answered of [503, 503, 502, undefined, undefined]) {
    await ask(answered);
    note();
  }
  await services.remove('service1');
  note();
  expect(seen).toEqual([
    [1, [['Team', undefined]]],
    [2, [['Crew', undefined]]],
    [3, [['Crew', 503]]],
    [3, [['Crew', 503]]],
    [4, [['Crew', 502]]],
    [5, [['Crew', undefined]]],
    [5, [['Crew', undefined]]],
    [6, []],
  ]);
});
