import { expect, test } from 'vitest';
import { findVideoFormat } from './carried-formats.ts';

/** Records from x264, x265 and SVT-AV1, via ffmpeg. */
const records: Record<string, { fourCc: string; hex: string; isRare: boolean }> = {
  'H.264 Baseline': {
    fourCc: 'avc1',
    hex: '0142c01effe1001d6742c01ed900a02ff97ff000700051000003000100000300320f162e4801000568cb83cb20',
    isRare: false,
  },
  'H.264 Main': {
    fourCc: 'avc1',
    hex: '014d400affe10017674d400aeca146fc980880000003008000000a078912cb01000568ebe3cb20',
    isRare: false,
  },
  'H.264 High': {
    fourCc: 'avc1',
    hex: '0164000affe100186764000aacd94426c044000003000400000300283c48965801000668ebe3cb22c0fdf8f800',
    isRare: false,
  },
  'H.264 in 4:2:2': {
    fourCc: 'avc1',
    hex: '017a000affe10018677a000abcd94426c044000003000400000300283c48965801000668ebe3cb22c0fef8f800',
    isRare: true,
  },
  'H.264 in 4:4:4': {
    fourCc: 'avc1',
    hex: '01f4000affe1001767f4000a919b2884d808800000030080000005078912cb01000668ebe3c44844fff8f800',
    isRare: true,
  },
  'H.264 in 10 bits': {
    fourCc: 'avc1',
    hex: '016e000affe10019676e000aa6cd94426c044000000300400000030283c489658001000668ebe3cb22c0fdfafa00',
    isRare: true,
  },
  'HEVC Main': {
    fourCc: 'hvc1',
    hex:
      '0101600000009000000000003cf000fcfdf8f800000f03200001001840010c01ffff01600000030090000003000003003c959009' +
      '210001002b42010101600000030090000003000003003ca00a080c1f3e595912930bc05a020000030002000003003c1022000100' +
      '064401c073c189',
    isRare: false,
  },
  'HEVC Main 10': {
    fourCc: 'hvc1',
    hex:
      '01022000000090000000000078f000fcfdfafa00000f03200001001840010c01ffff022000000300900000030000030078959409' +
      '210001002b420101022000000300900000030000030078a003c0801107cad965654a4c2f0e680800001f480003a9804022000100' +
      '064401c073c189',
    isRare: false,
  },
  'HEVC Main in the High tier': {
    fourCc: 'hvc1',
    hex:
      '01216000000090000000000078f000fcfdf8f800000f03a00001001840010c01ffff216000000300900000030000030078959809' +
      'a10001002a420101216000000300900000030000030078a0142061f265959a4932bc05a02000000300200000030141a2000100074401' +
      'c172b46240',
    isRare: false,
  },
  'HEVC in 4:4:4': {
    fourCc: 'hvc1',
    hex:
      '0104080000009e08000000003cf002fffff8f800001b04200001001d40010c04ffff0408000003009e0800000300003c00009594' +
      'aca565024021000100494201040408000003009e0800000300003c00009001510080e3e3f2caca5652b2a5270bc06d0100000300' +
      '010000030019600c965e001e840007a12e001e840007a12e001e840007a12222000100084401c0731830189027000100064e0181010f80',
    isRare: true,
  },
  'AV1 Main': { fourCc: 'av01', hex: '81000c000a1404000000040000007b400000a43d07c402f80040', isRare: false },
  'AV1 High': { fourCc: 'av01', hex: '812000000a0d200000043d07c4daf92021a004', isRare: true },
};

test.each(Object.entries(records))(
  'a record of %s says whether few players can decode its profile',
  (_name, { fourCc, hex, isRare }) => {
    expect(findVideoFormat(fourCc)?.parseRecord(Buffer.from(hex, 'hex')).hasRareProfile ?? false).toBe(isRare);
  },
);
