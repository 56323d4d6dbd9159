import { aacFormat } from '../../src/service/media/aac-format.ts';
import type { PlacedUnit } from '../../src/service/media/media-unit.ts';

/** The same audio, but its configuration announces SBR (ISO/IEC 14496-3 §1.6.6.1): a ladder encodes it. */
export function announceHighEfficiency(units: readonly PlacedUnit[]): PlacedUnit[] {
  const config = aacFormat.parseRecord(Buffer.from('118856e598', 'hex'));
  return units.map((unit) => (unit.type === 'config' && unit.config.track === 'audio' ? { ...unit, config } : unit));
}
