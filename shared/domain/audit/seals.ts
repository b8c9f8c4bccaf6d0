import type {
  AuditProblem,
  AuditRecord,
  AuditSeal,
  AuditVerification,
} from "../../schemas/audit/audit-record.ts";
import { type UtcDay, utcDay } from "../utc-day.ts";
import { canonicalDigest } from "./canonical-digest.ts";

/** A record where it is stored. */
export type PlacedRecord = {
  readonly place: string;
  readonly record: AuditRecord;
  /** Epoch seconds until which it is kept. */
  readonly until: number;
};

/** The seal that the next one links to. */
export type SealLink = NonNullable<AuditSeal["previous"]>;

/** Links records, in their order, to the seal before. @param at_ms epoch milliseconds */
export function sealRecords(
  records: readonly PlacedRecord[],
  previous: SealLink | undefined,
  at_ms: number,
): AuditSeal {
  const seal = {
    number: (previous?.number ?? 0) + 1,
    day: utcDay(at_ms / 1000),
    at_ms,
    previous: previous ?? null,
    records: records.map(({ place, record, until }) => ({ place, digest: canonicalDigest(record), until })),
  };
  return { ...seal, hash: canonicalDigest(seal) };
}

/** How long a record may wait for its seal; the sealer runs every minute. */
const WAIT_MS = 600_000;

type Stored = {
  readonly day: UtcDay;
  /** The seals of the day, by number. */
  readonly seals: readonly AuditSeal[];
  /** The seal before the day's first one, as it is stored or as retention has deleted it; undefined where there is none. */
  readonly before: SealLink | undefined;
  /** Where the chain ends, if it ends on this day. */
  readonly end: SealLink | undefined;
  /** Whatever the day's seals name, as far as it is stored. */
  readonly sealed: readonly PlacedRecord[];
  /** The records written on the day, and the places that seals of the following day name. */
  readonly written: readonly PlacedRecord[];
  readonly sealedLater: ReadonlySet<string>;
};

/** Checks a day: every seal follows from the one before, every record from its seal, and no record is without one. */
export function verifyDay(stored: Stored, nowMs: number): AuditVerification {
  const { day, seals, sealed, written, sealedLater } = stored;
  const found = new Map(sealed.map((one) => [one.place, one]));
  const problems: AuditProblem[] = [...linkProblems(stored)];
  let records = 0;
  for (const { place, digest, until } of seals.flatMap((seal) => seal.records)) {
    const record = found.get(place)?.record;
    if (record && canonicalDigest(record) === digest) records += 1;
    else if (record) problems.push({ kind: "record_changed", what: record.id });
    else if (until * 1000 > nowMs) problems.push({ kind: "record_missing", what: idIn(place) });
  }
  const linked = new Set(seals.flatMap((seal) => seal.records.map(({ place }) => place)));
  const loose = written.filter(({ place }) => !linked.has(place) && !sealedLater.has(place));
  const late = loose.filter(({ record }) => record.at_ms < nowMs - WAIT_MS);
  problems.push(...late.map(({ record }) => ({ kind: "record_not_sealed" as const, what: record.id })));
  const head = seals.at(-1)?.hash ?? null;
  const waiting = loose.length - late.length;
  return { day, intact: problems.length === 0, seals: seals.length, records, waiting, head, problems };
}

function* linkProblems({ seals, before, end }: Stored): Generator<AuditProblem> {
  let previous = before;
  for (const seal of seals) {
    const { hash, ...sealed } = seal;
    const what = String(seal.number);
    if (canonicalDigest(sealed) !== hash) yield { kind: "seal_changed", what };
    const expected = (seal.previous?.number ?? 0) + 1;
    if (seal.number !== expected || seal.previous?.number !== previous?.number)
      yield { kind: "seal_missing", what: String((previous?.number ?? 0) + 1) };
    else if (seal.previous?.hash !== previous?.hash) yield { kind: "link_broken", what };
    previous = linkTo(seal);
  }
  if (end && end.hash !== previous?.hash) yield { kind: "seal_missing", what: String(end.number) };
}

export const linkTo = ({ day, number, hash }: AuditSeal): SealLink => ({ day, number, hash });

/** A place is a time and the id. */
const idIn = (place: string): string => place.slice(place.indexOf("#") + 1);
