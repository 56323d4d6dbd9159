import { expect, test } from 'vitest';
import type { OneClickChoice } from '../../shared/model/one-click-choice.ts';
import { testSource } from '../../shared/model/source.ts';
import { createEventSource } from '../lib/event-source.ts';
import { openKeptValues } from '../store/kept-values.ts';
import { forgetRemovedChoices } from './removed-choices.ts';

test('choices go with their remote service, and with one that was removed before the start', () => {
  const choice: OneClickChoice = { source: testSource, encode: { kind: 'automatic' } };
  const choices = openKeptValues<OneClickChoice>({
    name: 'choice',
    stored: ['own', 'team~show', 'other~show', 'gone~show'].map((id) => [id, choice] as const),
    write: () => {},
    writer: { add: () => {} },
  });
  const services = new Map([
    ['team', {}],
    ['other', {}],
  ]);
  const changed = createEventSource<void>();
  forgetRemovedChoices(choices, { find: (id) => services.get(id) as never, onChange: changed.on });
  expect(choices.keys()).toEqual(['own', 'team~show', 'other~show']);
  services.delete('team');
  changed.emit();
  expect(choices.keys()).toEqual(['own', 'other~show']);
});
