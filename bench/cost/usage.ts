import { prices } from "./prices.ts";

/** Usage of AWS, in billed units. */
export type Usage = {
  readonly edgeRequests: number;
  readonly apiRequests: number;
  readonly invocations: number;
  readonly gigabyteSeconds: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  /** Messages sent, each with a group. */
  readonly sqsMessages: number;
  readonly objectWrites: number;
  readonly objectReads: number;
  readonly schedulerInvocations: number;
  readonly logBytes: number;
};

export const nothing: Usage = {
  edgeRequests: 0,
  apiRequests: 0,
  invocations: 0,
  gigabyteSeconds: 0,
  writeUnits: 0,
  readUnits: 0,
  sqsRequests: 0,
  sqsMessages: 0,
  objectWrites: 0,
  objectReads: 0,
  schedulerInvocations: 0,
  logBytes: 0,
};

const units = Object.keys(nothing) as (keyof Usage)[]; // the keys of a total record

export const sumOf = (...all: readonly Partial<Usage>[]): Usage =>
  mapUsage((unit) => all.reduce((sum, one) => sum + (one[unit] ?? 0), 0));

/** Usage multiplied by a factor. */
export const times = (usage: Usage, factor: number): Usage => mapUsage((unit) => usage[unit] * factor);

function mapUsage(of: (unit: keyof Usage) => number): Usage {
  return { ...nothing, ...Object.fromEntries(units.map((unit) => [unit, of(unit)])) };
}

/** Services as the sheet shows them, in dollars. */
export type Price = {
  readonly edge: number;
  readonly functions: number;
  readonly database: number;
  readonly queues: number;
  readonly objects: number;
  readonly scheduler: number;
  readonly logs: number;
};

export const priceOf = (used: Usage): Price => ({
  edge: used.edgeRequests * prices.edgeRequest + used.apiRequests * prices.apiRequest,
  functions: used.invocations * prices.invocation + used.gigabyteSeconds * prices.gigabyteSecond,
  database: used.writeUnits * prices.writeUnit + used.readUnits * prices.readUnit,
  queues: used.sqsRequests * prices.sqsRequest + used.sqsMessages * prices.sqsGroup,
  objects: used.objectWrites * prices.objectWrite + used.objectReads * prices.objectRead,
  scheduler: used.schedulerInvocations * prices.schedulerInvocation,
  logs: used.logBytes * prices.logByte,
});

export const totalOf = (price: Price): number => Object.values(price).reduce((sum, part) => sum + part, 0);
