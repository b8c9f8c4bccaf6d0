import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";
import type { ChartProps } from "./chart-props.ts";

type DrawnProps = ChartProps & {
  readonly height: number;
  /** Called with the bar that is pointed at; null for none. */
  readonly onPoint: (at: number | null) => void;
};

/** Widest bar in pixels, so that few bars are no blocks. */
const WIDEST_BAR = 32;
/** Pixels that the text below a bar takes with its distance to the next. */
const TEXT_WIDTH = 72;
/** Pixels of a letter beside a scale. */
const TEXT_LETTER = 6.5;

export default function Drawn({ xs, series, xText, valueText, height, onPoint }: DrawnProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  // A new drawing is made for new series only; new values go into the one that is there, so that nothing flickers.
  const shape = series.map(({ name, colour }) => `${name}:${colour}`).join();
  const latest = useRef({ xs, series, xText, valueText, onPoint });
  latest.current = { xs, series, xText, valueText, onPoint };
  const drawing = useRef<uPlot>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme's colours and the series' names are read through them
  useEffect(() => {
    const at = place.current;
    if (!at) return;
    const plot = new uPlot(optionsOf(latest, at, height), dataOf(latest.current), at);
    drawing.current = plot;
    const sized = new ResizeObserver(() => plot.setSize({ width: at.clientWidth, height }));
    sized.observe(at);
    return () => {
      sized.disconnect();
      plot.destroy();
      drawing.current = undefined;
    };
  }, [shape, theme, height]);

  useEffect(() => drawing.current?.setData(dataOf({ xs, series })), [xs, series]);

  return <div ref={place} style={{ height }} aria-hidden />;
}

type Latest = { readonly current: Pick<DrawnProps, "xs" | "series" | "xText" | "valueText" | "onPoint"> };

function optionsOf(latest: Latest, at: HTMLElement, height: number): uPlot.Options {
  const style = getComputedStyle(at);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const text = `11px ${style.getPropertyValue("--font")}`;
  const axis = { stroke: colour("ink-faint"), font: text, ticks: { show: false } };
  const fill = uPlot.paths.bars?.({ size: [0.72, WIDEST_BAR], radius: 0.15 });
  const { series } = latest.current;
  return {
    width: at.clientWidth,
    height,
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false }, points: { show: false } },
    scales: {
      x: { time: false, range: () => rangeOf(latest.current.xs) },
      y: { range: (_, __, top) => [0, topOf(top)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        gap: 4,
        splits: (plot) => splitsOf(latest.current.xs, plot.width),
        values: (_, splits) => splits.map((x) => latest.current.xText(x)),
      },
      {
        ...axis,
        grid: { stroke: colour("line"), width: 1 },
        size: (_, values) => widthOf(values),
        incrs: incrementsOf(series),
        gap: 4,
        space: 28,
        values: (_, splits) => splits.map((value) => latest.current.valueText(value)),
      },
    ],
    // The sum of all is drawn first and the lowest part last, so that each covers what is not its own.
    series: [
      {},
      ...[...series].reverse().map(({ colour: name }) => ({
        fill: colour(name),
        width: 0,
        points: { show: false },
        ...(fill && { paths: fill }),
      })),
    ],
    hooks: {
      setCursor: [({ cursor }) => latest.current.onPoint(cursor.idx ?? null)],
    },
  };
}

/** Each series on top of those before it, the highest first. */
function dataOf({ xs, series }: Pick<DrawnProps, "xs" | "series">): uPlot.AlignedData {
  const sums: number[] = xs.map(() => 0);
  const stacked = series.map(({ values }) =>
    xs.map((_, at) => {
      sums[at] = (sums[at] ?? 0) + (values[at] ?? 0);
      return sums[at] ?? 0;
    }),
  );
  return [[...xs], ...stacked.reverse()];
}

function rangeOf(xs: readonly number[]): [number, number] {
  const [first = 0, second] = xs;
  const half = ((second ?? first + 1) - first) / 2;
  return [first - half, (xs.at(-1) ?? first) + half];
}

const widthOf = (texts: readonly string[] | null): number =>
  Math.max(...(texts ?? []).map(({ length }) => length), 2) * TEXT_LETTER + 8;

/** Steps of the scale: what is counted in whole numbers has no halves. */
function incrementsOf(series: DrawnProps["series"]): number[] {
  const isWhole = series.every(({ values }) => values.every((value) => Number.isInteger(value ?? 0)));
  const powers = Array.from({ length: isWhole ? 13 : 22 }, (_, at) => 10 ** (at - (isWhole ? 0 : 9)));
  return powers.flatMap((power) => [power, 2 * power, 5 * power]);
}

/** Of a chart without any value too there is a scale. */
const topOf = (top: number | null | undefined): number => (top ? top * 1.05 : 1);

function splitsOf(xs: readonly number[], width: number): number[] {
  const most = Math.max(1, Math.floor(width / TEXT_WIDTH));
  const each = Math.ceil(xs.length / most);
  // Counted from the end: the newest bar is the one that people look for.
  return xs.filter((_, at) => (xs.length - 1 - at) % each === 0);
}

/** The theme of the page; it changes while charts are shown. */
const useTheme = (): string | undefined =>
  useSyncExternalStore(
    (listener) => {
      const watched = new MutationObserver(listener);
      watched.observe(document.documentElement, { attributeFilter: ["data-theme"] });
      return () => watched.disconnect();
    },
    () => document.documentElement.dataset.theme,
  );
