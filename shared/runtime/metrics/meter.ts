import type { MeteredCause, OperationalMetric } from "./operational-metrics.ts";

export type Figures = Partial<Readonly<Record<OperationalMetric, number>>>;

/** Records figures that operators watch. They cost neither a request nor time: they are written to the log. */
export type Meter = {
  /**
   * @param cause  a dimension, only for figures that have it: each cause is a metric of its own
   * @param about  what the figures are about: fields of the line
   */
  readonly record: (figures: Figures, cause?: MeteredCause, about?: Readonly<Record<string, string>>) => void;
};
