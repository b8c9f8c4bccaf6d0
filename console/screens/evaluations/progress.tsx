import { ProgressBar } from "react-aria-components/ProgressBar";
import { countText } from "../../parts/amounts.ts";

/** How far something is, in whole parts. */
export function Progress({
  done,
  total,
  label,
}: {
  readonly done: number;
  readonly total: number;
  readonly label: string;
}) {
  return (
    <ProgressBar className="progress" value={done} maxValue={Math.max(1, total)} aria-label={label}>
      {({ percentage }) => (
        <>
          <span className="progress-track">
            <span className="progress-bar" style={{ width: `${percentage ?? 0}%` }} />
          </span>
          <span className="small number">
            {countText(done)} of {countText(total)}
          </span>
        </>
      )}
    </ProgressBar>
  );
}
