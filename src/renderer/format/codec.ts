/** H.264's profiles by `profile_idc` (ITU-T H.264, Annex A). */
const avcProfiles: Readonly<Record<string, string>> = {
  '42': 'Baseline',
  '4d': 'Main',
  '58': 'Extended',
  '64': 'High',
  '6e': 'High 10',
  '7a': 'High 4:2:2',
  f4: 'High 4:4:4',
};

/** HEVC's profiles by `general_profile_idc` (ITU-T H.265, Annex A). */
const hevcProfiles: Readonly<Record<string, string>> = { '1': 'Main', '2': 'Main 10', '3': 'Main Still Picture' };

/** AV1's profiles by `seq_profile` (AV1, Annex A). */
const av1Profiles: Readonly<Record<string, string>> = { '0': 'Main', '1': 'High', '2': 'Professional' };

/** `seq_level_idx`: four minor levels per major from 2 on; 31 is unbounded. */
const formatAv1Level = (index: number) => (index < 24 ? `${2 + (index >> 2)}.${index & 3}` : undefined);

/** AAC variants by audio object type (ISO/IEC 14496-3). */
const aacKinds: Readonly<Record<string, string>> = { '2': 'AAC-LC', '5': 'HE-AAC', '29': 'HE-AAC v2' };

/** An RFC 6381 codec string in common terms: `avc1.64001f` is `H.264 High 3.1`. Unknown strings are returned unchanged. */
export function formatCodec(codec: string): string {
  const avc = /^avc1\.([0-9a-f]{2})[0-9a-f]{2}([0-9a-f]{2})$/i.exec(codec);
  if (avc?.[1] !== undefined && avc[2] !== undefined) {
    const level = (Number.parseInt(avc[2], 16) / 10).toFixed(1);
    return ['H.264', avcProfiles[avc[1].toLowerCase()], level].filter(Boolean).join(' ');
  }
  const hevc = /^hvc1\.[A-C]?(\d+)\.[0-9a-f]+\.[LH](\d+)/i.exec(codec);
  if (hevc?.[1] !== undefined)
    return ['HEVC', hevcProfiles[hevc[1]], (Number(hevc[2]) / 30).toFixed(1)].filter(Boolean).join(' ');
  const av1 = /^av01\.(\d)\.(\d\d)[MH]/.exec(codec);
  if (av1?.[1] !== undefined) return ['AV1', av1Profiles[av1[1]], formatAv1Level(Number(av1[2]))].filter(Boolean).join(' ');
  if (codec === 'opus') return 'Opus';
  const aac = /^mp4a\.40\.(\d+)$/.exec(codec);
  return (aac?.[1] !== undefined && aacKinds[aac[1]]) || codec;
}
