import { afterEach, expect, test, vi } from 'vitest';
import { listLinuxDevices } from '../../src/service/capture/devices/linux-devices.ts';
import { startPulseServer } from '../support/pulse-server.ts';

afterEach(() => vi.unstubAllEnvs());

// PulseAudio 16's JSON has no such names. Its other list is translated.
test.skipIf(process.platform !== 'linux').each(['', 'de'])(
  'microphones have their names in any script, also where programs speak another language: "%s"',
  async (language) => {
    await using pulse = await startPulseServer();
    for (const [id, name] of [
      ['headset', 'Anna’s Headset'],
      ['desk', 'マイク'],
    ]) {
      const words = [`source_name=${id}`, 'master=room.monitor', `source_properties='device.description="${name}"'`];
      await pulse.control('load-module', 'module-remap-source', ...words);
    }
    vi.stubEnv('PULSE_SERVER', pulse.address);
    vi.stubEnv('LANGUAGE', language);
    const { microphones } = await listLinuxDevices({ paths: new Map([['pulse', 'ffmpeg']]), installCommand: undefined });
    expect(microphones).toEqual([
      { id: 'mic', name: 'Microphone', isDefault: true },
      { id: 'headset', name: 'Anna’s Headset' },
      { id: 'desk', name: 'マイク' },
    ]);
  },
);
