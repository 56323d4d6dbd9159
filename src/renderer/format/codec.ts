/** H.264's profiles by `profile_idc` (ITU-T H.264, Annex A). */
const avcProfiles: Readonly<Record<string, string>> = {
  '42': 'Baseline',
  '4d': 'Main',
  '58': 'Extended',
  '64': 'High',
  '6e': 'High 10',
  '7a': 'High 4:2:2',
};

/** AAC's kinds by audio object type (ISO/IEC 14496-3). */
const aacKinds: Readonly<Record<string, string>> = { '2': 'AAC-LC', '5': 'HE-AAC', '29': 'HE-AAC v2' };

/** A codec string of RFC 6381 in the words people use: `avc1.64001f` is `H.264 High 3.1`. What it does not know stays as it is. */
export function formatCodec(codec: string): string {
  const avc = /^avc1\.([0-9a-f]{2})[0-9a-f]{2}([0-9a-f]{2})$/i.exec(codec);
  if (avc?.[1] !== undefined && avc[2] !== undefined) {
    const level = (Number.parseInt(avc[2], 16) / 10).toFixed(1);
    return ['H.264', avcProfiles[avc[1].toLowerCase()], level].filter(Boolean).join(' ');
  }
  const aac = /^mp4a\.40\.(\d+)$/.exec(codec);
  return (aac?.[1] !== undefined && aacKinds[aac[1]]) || codec;
}
