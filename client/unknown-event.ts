import { eventNames } from "./operations.ts";
import type { Frame } from "./read-frames.ts";

/** An event that this version of the client does not know, such as one of a newer platform. */
export type UnknownEvent = {
  readonly event: "UnknownEvent";
  /** What the platform calls it. */
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
};

const known: ReadonlySet<string> = new Set(eventNames.split(" "));

/** Sets apart what is not known, so that the name of an event always says what its data is. */
export const namedEvent = (frame: Frame): Frame | UnknownEvent =>
  known.has(frame.event) ? frame : { event: "UnknownEvent", name: frame.event, data: frame.data };
