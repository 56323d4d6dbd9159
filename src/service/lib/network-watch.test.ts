import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NetworkWatch } from './network-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watch over addresses that a test changes, and how often it has looked and told. */
function setUp(...addresses: string[]) {
  const state = { addresses, looks: 0, returns: 0 };
  const watch = new NetworkWatch(() => {
    state.looks += 1;
    return state.addresses;
  });
  const off = watch.onReturn(() => {
    state.returns += 1;
  });
  const second = (next: string[]) => {
    state.addresses = next;
    vi.advanceTimersByTime(1_000);
    return state.returns;
  };
  return { state, watch, off, second };
}

test('an address that appears is a return; one that goes or stays is not', () => {
  const { second } = setUp('192.0.2.1', '2001:db8::1');
  expect(second(['192.0.2.1', '2001:db8::1'])).toBe(0);
  expect(second(['192.0.2.1'])).toBe(0);
  expect(second([])).toBe(0);
  expect(second(['192.0.2.1'])).toBe(1);
  expect(second(['192.0.2.1'])).toBe(1);
  expect(second(['198.51.100.7'])).toBe(2);
});

test('what somebody else reports is a return', () => {
  const { watch, state } = setUp();
  watch.report();
  expect(state.returns).toBe(1);
});

test('it looks only while someone listens, and what changed in between is no return', () => {
  const { watch, state, off, second } = setUp('192.0.2.1');
  const offOther = watch.onReturn(() => {});
  off();
  off();
  expect([second(['192.0.2.1']), state.looks]).toEqual([0, 2]);
  offOther();
  expect([second(['192.0.2.9']), state.looks]).toEqual([0, 2]);
  watch.onReturn(() => {
    state.returns += 1;
  });
  expect(second(['192.0.2.9'])).toBe(0);
  expect(second(['192.0.2.9', '192.0.2.10'])).toBe(1);
});

test('without a fake, it reads the addresses of this computer', () => {
  const watch = new NetworkWatch();
  let returns = 0;
  const off = watch.onReturn(() => {
    returns += 1;
  });
  vi.advanceTimersByTime(3_000);
  off();
  expect(returns).toBe(0);
});
