/** Names of the properties in `style/tokens.css` that a series is drawn in. */
export type ChartColour = "accent" | "busy" | "bad" | "warn" | "ink-faint";

export type Series = {
  readonly name: string;
  /** One for each `xs`; null where nothing is known. */
  readonly values: readonly (number | null)[];
  readonly colour: ChartColour;
};

export type ChartProps = {
  /** What is shown, as a sentence would name it. */
  readonly label: string;
  /** Where each bar stands, ascending and evenly spaced; seconds since the epoch, or whatever `xText` can name. */
  readonly xs: readonly number[];
  /** Stacked on each other in this order. */
  readonly series: readonly Series[];
  readonly xText: (x: number) => string;
  readonly valueText: (value: number) => string;
  /** Names the series also where there is only one. */
  readonly named?: boolean;
  /** Pixels. */
  readonly height?: number;
};
