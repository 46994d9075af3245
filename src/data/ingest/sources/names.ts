/**
 * Spells out names of water and landmarks. TIGER abbreviates their generic terms, just as street signs
 * abbreviate those of roads. Source: TIGER/Line technical documentation, appendix "Feature Name
 * Qualifiers".
 */

const TERMS: Readonly<Record<string, string>> = {
  Arprt: 'Airport',
  Arpt: 'Airport',
  Bch: 'Beach',
  Brg: 'Bridge',
  Byu: 'Bayou',
  Chnl: 'Channel',
  Chnnl: 'Channel',
  Cmtry: 'Cemetery',
  Cem: 'Cemetery',
  Cnl: 'Canal',
  Clg: 'College',
  Crk: 'Creek',
  Dtch: 'Ditch',
  Frk: 'Fork',
  Hbr: 'Harbor',
  Hosp: 'Hospital',
  Hse: 'House',
  Inlt: 'Inlet',
  Intl: 'International',
  Lagn: 'Lagoon',
  Lk: 'Lake',
  Lks: 'Lakes',
  Meml: 'Memorial',
  Mem: 'Memorial',
  Mtn: 'Mountain',
  Natl: 'National',
  Pk: 'Park',
  Pnd: 'Pond',
  Pt: 'Point',
  Rec: 'Recreation',
  Resv: 'Reservoir',
  Riv: 'River',
  Rsvr: 'Reservoir',
  Sch: 'School',
  Slu: 'Slough',
  Spg: 'Spring',
  Spgs: 'Springs',
  Strm: 'Stream',
  Univ: 'University',
};

/** `Lk Merced` becomes `Lake Merced`. */
export function spellOut(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => TERMS[word] ?? word)
    .join(' ');
}
