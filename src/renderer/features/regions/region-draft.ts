import {
  type FieldFault,
  findRegionFault,
  type NetworkFault,
  type Region,
  RegionList,
  type RegionNetwork,
  RegionNetworks,
  type RegionsView,
} from '../../../shared/model/region.ts';
import type { SettingsChanges } from '../../../shared/model/settings.ts';
import { baseOfPlayback } from '../../../shared/parse-regions.ts';
import { trimPasted } from '../../../shared/trim-pasted.ts';

/** A region as typed. */
export interface RegionDraft {
  code: string;
  /** Whether its URLs are made from the service domain. */
  isFromDomain: boolean;
  ingest: string;
  playback: string;
  /** '' is the playback URL without its last `/hls`. */
  base: string;
}

const regionFields = ['code', 'ingest', 'playback', 'base'] as const satisfies readonly (keyof RegionDraft)[];
type RegionField = (typeof regionFields)[number];
/** What is wrong, by field. */
export type RegionFaults = Partial<Record<RegionField, FieldFault>>;

/** The form for a region; for a new one without any. */
export function draftOfRegion(region: Region | undefined, hasDomain: boolean): RegionDraft {
  const { ingest = '', playback = '', base: saved = '' } = region?.urls ?? {};
  const base = saved === baseOfPlayback(playback) ? '' : saved;
  const isFromDomain = region === undefined ? hasDomain : region.urls === undefined;
  return { code: region?.code ?? '', isFromDomain, ingest, playback, base };
}

/** The list with the form's region in it, in the place of `edited` or at its end; or the form's faults. */
export function placeRegion(
  draft: RegionDraft,
  listed: readonly Region[],
  edited: string | undefined,
): { regions: Region[] } | { faults: RegionFaults } {
  const region = readDraft(draft);
  const found = listed.findIndex(({ code }) => code === edited);
  const index = found === -1 ? listed.length : found;
  const regions = listed.toSpliced(index, 1, region);
  const parsed = RegionList.safeParse(regions);
  if (parsed.success) return { regions: parsed.data };
  const faults: RegionFaults = {};
  for (const issue of parsed.error.issues) {
    // A later region with the same URL has the violation, too: the form is still wrong.
    const field = regionFields.find((each) => each === issue.path.at(-1));
    // An empty base URL is made from the playback URL, so only that field can be corrected.
    if (field === 'base' && trimPasted(draft.base) === '' && faults.playback !== undefined) continue;
    if (field === undefined) faults.code ??= { code: 'too-many' };
    else faults[field] ??= findRegionFault(issue) ?? { code: field === 'code' ? 'no-region-code' : 'too-long' };
  }
  return { faults };
}

/** The settings that refer to a region by its code, changed to its new code: they must be saved together with it. */
export function renameRegion(
  { networks, choice }: Pick<RegionsView, 'networks' | 'choice'>,
  from: string | undefined,
  to: string,
): Pick<SettingsChanges, 'regionNetworks' | 'regionChoice'> {
  if (from === undefined || from === to) return {};
  const rename = (network: RegionNetwork) => (network.region === from ? { ...network, region: to } : network);
  return {
    ...(networks.some(({ region }) => region === from) && { regionNetworks: networks.map(rename) }),
    ...(choice === from && { regionChoice: to }),
  };
}

/** The settings that refer to a region by its code, without it: they must be saved when it leaves the list. */
export function forgetRegion(
  { networks, choice }: Pick<RegionsView, 'networks' | 'choice'>,
  code: string,
): Pick<SettingsChanges, 'regionNetworks' | 'regionChoice'> {
  const left = networks.filter(({ region }) => region !== code);
  return {
    ...(left.length < networks.length && { regionNetworks: left }),
    ...(choice === code && { regionChoice: 'automatic' }),
  };
}

function readDraft({ code, isFromDomain, ingest, playback, base }: RegionDraft): Region {
  const plainCode = trimPasted(code).toLowerCase();
  if (isFromDomain) return { code: plainCode };
  const playbackUrl = trimPasted(playback);
  const baseUrl = trimPasted(base) || baseOfPlayback(playbackUrl);
  return { code: plainCode, urls: { ingest: trimPasted(ingest), playback: playbackUrl, base: baseUrl } };
}

/** The networks with a new one, or what is wrong with it. */
export function addNetwork(
  networks: readonly RegionNetwork[],
  added: RegionNetwork,
): { networks: RegionNetwork[] } | { fault: NetworkFault } {
  const parsed = RegionNetworks.safeParse([...networks, { ...added, network: trimPasted(added.network).toLowerCase() }]);
  if (parsed.success) return { networks: parsed.data };
  const isTwice = parsed.error.issues.some((issue) => findRegionFault(issue)?.code === 'listed-twice');
  return { fault: isTwice ? 'listed-twice' : 'no-network' };
}
