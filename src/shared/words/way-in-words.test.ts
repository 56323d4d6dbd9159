import { expect, test } from 'vitest';
import { describeWayBack } from './way-in-words.ts';

const open = 'Open the last address that Tallylight printed.';
const another = "If you can't find it, get another with: npm run --silent tallylight -- address";

test('on another device, where loopback leads to itself, the address begins differently', () => {
  expect(['http://127.0.0.1:4600', 'http://localhost:4600', 'https://192.168.1.20:4600'].map(describeWayBack)).toEqual([
    `${open} ${another}`,
    `${open} ${another}`,
    `${open} On this device, begin the address with https://192.168.1.20:4600/ instead. ${another}`,
  ]);
});
