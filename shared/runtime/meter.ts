import type { MeteredCause, OperationalMetric } from "./operational-metrics.ts";

export type Figures = Partial<Readonly<Record<OperationalMetric, number>>>;

/** Takes figures that operators watch. They cost neither a request nor time: they leave with the log. */
export type Meter = {
  /** @param cause  only where figures are told by it: each value of it is a figure of its own */
  readonly record: (figures: Figures, cause?: MeteredCause) => void;
};
