/**
 * For each IANA time zone, the airport (three-letter IATA location code) of its main city. One line per area, the first part of the
 * zone names.
 *
 * Old and new names of a zone are both listed, since runtimes report either.
 */
const airportsByArea: Readonly<Record<string, string>> = {
  Africa: `Abidjan abj, Accra acc, Addis_Ababa add, Algiers alg, Asmara asm, Asmera asm, Bamako bko, Bangui bgf, Banjul bjl,
    Bissau oxb, Blantyre blz, Brazzaville bzv, Bujumbura bjm, Cairo cai, Casablanca cmn, Ceuta agp, Conakry cky, Dakar dss,
    Dar_es_Salaam dar, Djibouti jib, Douala dla, El_Aaiun eun, Freetown fna, Gaborone gbe, Harare hre, Johannesburg jnb,
    Juba jub, Kampala ebb, Khartoum krt, Kigali kgl, Kinshasa fih, Lagos los, Libreville lbv, Lome lfw, Luanda lad,
    Lubumbashi fbm, Lusaka lun, Malabo ssg, Maputo mpm, Maseru msu, Mbabane sho, Mogadishu mgq, Monrovia rob, Nairobi nbo,
    Ndjamena ndj, Niamey nim, Nouakchott nkc, Ouagadougou oua, Porto-Novo coo, Sao_Tome tms, Tripoli tip, Tunis tun,
    Windhoek wdh`,
  America: `Adak adk, Anchorage anc, Anguilla axa, Antigua anu, Araguaina aux, Argentina/Buenos_Aires eze,
    Argentina/Catamarca ctc, Argentina/Cordoba cor, Argentina/Jujuy juj, Argentina/La_Rioja irj, Argentina/Mendoza mdz,
    Argentina/Rio_Gallegos rgl, Argentina/Salta sla, Argentina/San_Juan uaq, Argentina/San_Luis luq, Argentina/Tucuman tuc,
    Argentina/Ushuaia ush, Aruba aua, Asuncion asu, Atikokan yib, Bahia ssa, Bahia_Banderas pvr, Barbados bgi, Belem bel,
    Belize bze, Blanc-Sablon ybx, Boa_Vista bvb, Bogota bog, Boise boi, Buenos_Aires eze, Cambridge_Bay ycb,
    Campo_Grande cgr, Cancun cun, Caracas ccs, Catamarca ctc, Cayenne cay, Cayman gcm, Chicago ord, Chihuahua cuu,
    Ciudad_Juarez cjs, Coral_Harbour yzs, Cordoba cor, Costa_Rica sjo, Coyhaique bba, Creston yxc, Cuiaba cgb, Curacao cur,
    Danmarkshavn cnp, Dawson yda, Dawson_Creek ydq, Denver den, Detroit dtw, Dominica dom, Edmonton yeg, Eirunepe ern,
    El_Salvador sal, Fort_Nelson yye, Fortaleza for, Glace_Bay yqy, Godthab goh, Goose_Bay yyr, Grand_Turk gdt, Grenada gnd,
    Guadeloupe ptp, Guatemala gua, Guayaquil gye, Guyana geo, Halifax yhz, Havana hav, Hermosillo hmo, Indiana/Indianapolis ind,
    Indiana/Knox sbn, Indiana/Marengo sdf, Indiana/Petersburg evv, Indiana/Tell_City evv, Indiana/Vevay cvg,
    Indiana/Vincennes evv, Indiana/Winamac sbn, Indianapolis ind, Inuvik yev, Iqaluit yfb, Jamaica kin, Jujuy juj, Juneau jnu,
    Kentucky/Louisville sdf, Kentucky/Monticello lex, Kralendijk bon, La_Paz lpb, Lima lim, Los_Angeles lax, Louisville sdf,
    Lower_Princes sxm, Maceio mcz, Managua mga, Manaus mao, Marigot sfg, Martinique fdf, Matamoros mam, Mazatlan mzt,
    Mendoza mdz, Menominee mnm, Merida mid, Metlakatla ktn, Mexico_City mex, Miquelon fsp, Moncton yqm, Monterrey mty,
    Montevideo mvd, Montserrat mni, Nassau nas, New_York jfk, Nipigon yqt, Nome ome, Noronha fen, North_Dakota/Beulah bis,
    North_Dakota/Center bis, North_Dakota/New_Salem bis, Nuuk goh, Ojinaga cuu, Panama pty, Pangnirtung yxp, Paramaribo pbm,
    Phoenix phx, Port-au-Prince pap, Port_of_Spain pos, Porto_Velho pvh, Puerto_Rico sju, Punta_Arenas puq, Rainy_River yag,
    Rankin_Inlet yrt, Recife rec, Regina yqr, Resolute yrb, Rio_Branco rbr, Santa_Isabel tij, Santarem stm, Santiago scl,
    Santo_Domingo sdq, Sao_Paulo gru, Scoresbysund cnp, Sitka sit, St_Barthelemy sbh, St_Johns yyt, St_Kitts skb, St_Lucia uvf,
    St_Thomas stt, St_Vincent svd, Swift_Current yyn, Tegucigalpa xpl, Thule thu, Thunder_Bay yqt, Tijuana tij, Toronto yyz,
    Tortola eis, Vancouver yvr, Whitehorse yxy, Winnipeg ywg, Yakutat yak, Yellowknife yzf`,
  Antarctica: `Casey hba, Davis hba, DumontDUrville hba, Macquarie hba, Mawson hba, McMurdo chc, Palmer puq, Rothera puq,
    Syowa cpt, Troll cpt, Vostok hba`,
  Arctic: 'Longyearbyen lyr',
  Asia: `Aden ade, Almaty ala, Amman amm, Anadyr dyr, Aqtau sco, Aqtobe akx, Ashgabat asb, Atyrau guw, Baghdad bgw, Bahrain bah,
    Baku gyd, Bangkok bkk, Barnaul bax, Beirut bey, Bishkek bsz, Brunei bwn, Calcutta del, Chita hta, Choibalsan coq,
    Colombo cmb, Damascus dam, Dhaka dac, Dili dil, Dubai dxb, Dushanbe dyu, Famagusta ecn, Gaza tlv, Hebron tlv,
    Ho_Chi_Minh sgn, Hong_Kong hkg, Hovd hvd, Irkutsk ikt, Jakarta cgk, Jayapura djj, Jerusalem tlv, Kabul kbl, Kamchatka pkc,
    Karachi khi, Kathmandu ktm, Katmandu ktm, Khandyga yks, Kolkata del, Krasnoyarsk kja, Kuala_Lumpur kul, Kuching kch,
    Kuwait kwi, Macau mfm, Magadan gdx, Makassar upg, Manila mnl, Muscat mct, Nicosia lca, Novokuznetsk noz, Novosibirsk ovb,
    Omsk oms, Oral ura, Phnom_Penh pnh, Pontianak pnk, Pyongyang fnj, Qatar doh, Qostanay ksn, Qyzylorda kzo, Rangoon rgn,
    Riyadh ruh, Saigon sgn, Sakhalin uus, Samarkand skd, Seoul icn, Shanghai pvg, Singapore sin, Srednekolymsk yks, Taipei tpe,
    Tashkent tas, Tbilisi tbs, Tehran ika, Thimphu pbh, Tokyo nrt, Tomsk tof, Ulaanbaatar ubn, Urumqi urc, Ust-Nera yks,
    Vientiane vte, Vladivostok vvo, Yakutsk yks, Yangon rgn, Yekaterinburg svx, Yerevan evn`,
  Atlantic: `Azores pdl, Bermuda bda, Canary lpa, Cape_Verde rai, Faeroe fae, Faroe fae, Madeira fnc, Reykjavik kef,
    South_Georgia mpn, St_Helena hle, Stanley mpn`,
  Australia: `Adelaide adl, Brisbane bne, Broken_Hill bhq, Currie kns, Darwin drw, Eucla per, Hobart hba, Lindeman hti, Lord_Howe ldh,
    Melbourne mel, Perth per, Sydney syd`,
  Europe: `Amsterdam ams, Andorra bcn, Astrakhan asf, Athens ath, Belgrade beg, Berlin ber, Bratislava bts, Brussels bru,
    Bucharest otp, Budapest bud, Busingen zrh, Chisinau rmo, Copenhagen cph, Dublin dub, Gibraltar gib, Guernsey gci,
    Helsinki hel, Isle_of_Man iom, Istanbul ist, Jersey jer, Kaliningrad kgd, Kiev kbp, Kirov kvx, Kyiv kbp, Lisbon lis,
    Ljubljana lju, London lhr, Luxembourg lux, Madrid mad, Malta mla, Mariehamn mhq, Minsk msq, Monaco nce, Moscow svo,
    Oslo osl, Paris cdg, Podgorica tgd, Prague prg, Riga rix, Rome fco, Samara kuf, San_Marino rmi, Sarajevo sjj, Saratov gsv,
    Simferopol sip, Skopje skp, Sofia sof, Stockholm arn, Tallinn tll, Tirane tia, Ulyanovsk ulv, Uzhgorod bud, Vaduz zrh,
    Vatican fco, Vienna vie, Vilnius vno, Volgograd vog, Warsaw waw, Zagreb zag, Zaporozhye kbp, Zurich zrh`,
  Indian: `Antananarivo tnr, Chagos mle, Christmas xch, Cocos cck, Comoro hah, Kerguelen run, Mahe sez, Maldives mle, Mauritius mru,
    Mayotte dza, Reunion run`,
  Pacific: `Apia apw, Auckland akl, Bougainville buc, Chatham cht, Chuuk tkk, Easter ipc, Efate vli, Enderbury cis, Fakaofo apw,
    Fiji nan, Funafuti fun, Galapagos gps, Gambier gmr, Guadalcanal hir, Guam gum, Honolulu hnl, Johnston hnl, Kanton cis,
    Kiritimati cxi, Kosrae ksa, Kwajalein kwa, Majuro maj, Marquesas nhv, Midway mdy, Nauru inu, Niue iue, Norfolk nlk,
    Noumea nou, Pago_Pago ppg, Palau ror, Pitcairn gmr, Pohnpei pni, Ponape pni, Port_Moresby pom, Rarotonga rar, Saipan spn,
    Tahiti ppt, Tarawa trw, Tongatapu tbu, Truk tkk, Wake awk, Wallis wls`,
};

/** For zones without a city (`UTC`, `Etc/GMT+5`): a main city for each whole hour east of UTC, from −12 to +14. */
const airportsByOffset =
  'akl ppg hnl anc lax den ord jfk yhz gru fen pdl lhr ber cai ist dxb khi dac bkk sin nrt syd nou akl apw cxi'.split(' ');

const airports: ReadonlyMap<string, string> = new Map(
  Object.entries(airportsByArea).flatMap(([area, lines]) =>
    lines.split(',').map((entry): [string, string] => {
      const [place = '', airport = ''] = entry.trim().split(' ');
      return [`${area}/${place}`, airport];
    }),
  ),
);

/**
 * The region proposed for a computer in this time zone, as a three-letter airport code.
 *
 * A zone missing from the catalogue gets the city of its UTC offset; a zone that the runtime does not know gets London.
 */
export function findRegionOfTimeZone(timeZone: string): string {
  return airports.get(timeZone) ?? airportsByOffset[Math.round(readOffsetHours(timeZone)) + 12] ?? 'lhr';
}

/** The region proposed for this computer, from its time zone. */
export function proposeRegion(): string {
  return findRegionOfTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** Hours east of UTC in January, so the answer is the same all year; 0 if the runtime does not know the zone. */
function readOffsetHours(timeZone: string): number {
  try {
    const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(Date.UTC(2024, 0, 1))
      .find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)$/.exec(name ?? '') ?? [];
    const offset = Number(hours ?? 0) + Number(minutes ?? 0) / 60;
    return sign === '-' ? -offset : offset;
  } catch (error) {
    if (error instanceof RangeError) return 0;
    throw error;
  }
}
