import { lazy, Suspense, useState } from "react";
import { loadPart } from "../../api/load-part.ts";
import type { ChartColour, ChartProps, Series } from "./chart-props.ts";

const Drawn = lazy(() => loadPart(() => import("./chart-drawn.tsx")));

/**
 * Bars over time. The bar that is pointed at is described above the chart; who does not see it has the same as a table.
 * What draws it is loaded with the first chart.
 */
export function Chart(props: ChartProps) {
  const { label, xs, series, xText, valueText, named = false, height = 120 } = props;
  const [at, setAt] = useState<number | null>(null);
  const known = series.flatMap(({ values }) => values).filter((value) => value !== null);
  // Where a part is unknown and the rest is nothing, an empty scale would say that there was nothing.
  const isUnknown = known.every((value) => value === 0) && series.some(({ values }) => values.includes(null));
  const pointed = at === null ? undefined : xs[at];
  return (
    <figure className="chart" aria-label={label}>
      <div className="chart-legend" aria-hidden>
        {pointed === undefined ? (
          (named || series.length > 1) && series.map((one) => <Key key={one.name} {...one} text={one.name} />)
        ) : (
          <>
            <span className="faint">{xText(pointed)}</span>
            {series.map((one) => (
              <Key key={one.name} {...one} text={textAt(one, at ?? 0, valueText, series.length > 1)} />
            ))}
          </>
        )}
      </div>
      {isUnknown ? (
        <div className="chart-unknown" style={{ height }} aria-hidden>
          unknown
        </div>
      ) : (
        <Suspense fallback={<div style={{ height }} />}>
          <Drawn {...props} height={height} onPoint={setAt} />
        </Suspense>
      )}
      <table className="hidden-visually">
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {xs.map((x, row) => (
            <tr key={x}>
              <th scope="row">{xText(x)}</th>
              {series.map((one) => (
                <td key={one.name}>{textAt(one, row, valueText, false)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function Key({ colour, text }: { readonly colour: ChartColour; readonly text: string }) {
  return (
    <span className="chart-key">
      <span className={`chart-mark chart-mark-${colour}`} />
      {text}
    </span>
  );
}

function textAt(
  { name, values }: Series,
  at: number,
  valueText: (value: number) => string,
  withName: boolean,
): string {
  const value = values[at];
  const text = value === null || value === undefined ? "unknown" : valueText(value);
  return withName ? `${name} ${text}` : text;
}
