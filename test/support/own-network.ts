import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { onTestFinished, vi } from 'vitest';

/** Until the test ends, these and loopback are the addresses of this computer. */
export function listOnly(...addresses: string[]): void {
  const outer = addresses.map((address) => ({ address, internal: false }));
  const spy = vi.spyOn(os, 'networkInterfaces');
  spy.mockReturnValue({ all: [{ address: '127.0.0.1', internal: true }, ...outer] as os.NetworkInterfaceInfo[] });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}
