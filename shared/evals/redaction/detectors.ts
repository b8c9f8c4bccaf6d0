import { isIP } from "node:net";
import type { Detectable } from "../../schemas/evals/dataset-case.ts";

/** Where a piece of personal data is in a text. */
export type Found = {
  /** Characters from the beginning of the text. */
  readonly at: number;
  readonly length: number;
};

type Detector = {
  /** What may be one. Every repetition in it is bounded, so that no text takes long. */
  readonly form: RegExp;
  /** How many characters of a match are one, counted from its beginning; 0 where its check digits say that it is none. */
  readonly lengthOf: (match: string) => number;
  /** By which equal ones are equal, however they are written. */
  readonly canonical: (text: string) => string;
};

/** In the order in which they are looked for: what is an account number is no telephone number. */
export const detectors: Readonly<Record<Detectable, Detector>> = {
  email: {
    form: /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,63}/gu,
    lengthOf: ({ length }) => length,
    canonical: (text) => text.toLowerCase(),
  },
  iban: {
    form: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]){11,30}/giu,
    lengthOf: ibanLength,
    canonical: (text) => bare(text).toUpperCase(),
  },
  card: {
    form: /(?<!\d|\d[ -])(?:\d[ -]?){12,18}\d(?![ -]?\d)/gu,
    lengthOf: (match) => (passesLuhn(bare(match)) ? match.length : 0),
    canonical: bare,
  },
  ip: {
    form: /(?<![\p{L}\p{N}:.])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:]{2,39})(?![\p{L}\p{N}:]|\.\d)/giu,
    lengthOf: (match) => (isIP(match) === 0 || match === "::" ? 0 : match.length),
    canonical: (text) => text.toLowerCase(),
  },
  phone: {
    form: /(?<![\p{L}\p{N}]|\d[ ./-])(?:(?:\+|00)\d|\(?0\d|\(\d{3}\) ?\d|\d{3}[-. ]\d{3}[-. ]\d{4}(?!\d))[\d ()./-]{0,18}/gu,
    lengthOf: phoneLength,
    canonical: (text) => text.replace(/[^\d+]/g, "").replace(/^00/, "+"),
  },
};

export const detectorNames = Object.keys(detectors) as Detectable[];

function bare(text: string): string {
  return text.replace(/[ -]/g, "");
}

/** Each second digit from the right is doubled, and all digits of that add up to a multiple of ten. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

/** Characters of an IBAN by country (ISO 13616). */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 " +
    "FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 " +
    "LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 " +
    "ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20"
  )
    .split(" ")
    .map((one) => [one.slice(0, 2), Number(one.slice(2))]),
);

/** The words behind it may look like a part of it: its country says how long it is. */
function ibanLength(match: string): number {
  const wanted = IBAN_LENGTHS[match.slice(0, 2).toUpperCase()];
  const text = bare(match).toUpperCase().slice(0, wanted);
  if (wanted === undefined || text.length !== wanted || !passesMod97(text)) return 0;
  let count = 0;
  const end = [...match].findIndex((char) => {
    count += /[ -]/.test(char) ? 0 : 1;
    return count === wanted;
  });
  return end + 1;
}

/** The first four characters moved to the end, letters as numbers from 10 on: the rest by 97 is 1. */
function passesMod97(iban: string): boolean {
  const digits = [...`${iban.slice(4)}${iban.slice(0, 4)}`].map((char) => Number.parseInt(char, 36)).join("");
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** 7 to 15 digits (E.164), and neither a date nor a decimal. */
function phoneLength(match: string): number {
  const text = match.replace(/[ ()./-]+$/, "");
  const digits = text.replace(/\D/g, "").length;
  const isDate = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(text);
  const isDecimal = /^\d+\.\d+$/.test(text) && text.startsWith("0.");
  return digits >= 7 && digits <= 15 && !isDate && !isDecimal ? text.length : 0;
}
