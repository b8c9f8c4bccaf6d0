import { useMemo } from "react";
import { Combo } from "../../parts/form/combo.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { useNow } from "../../parts/time.tsx";
import { cronWords, isZone, nextTimes, ON_DEMAND, problemOfCron, timeIn, zones } from "./when.ts";

const presets = [
  { id: "*/15 * * * *", text: "Every 15 minutes" },
  { id: "0 * * * *", text: "Every hour" },
  { id: "0 9 * * *", text: "Every day at 09:00" },
  { id: "0 9 * * 1-5", text: "On workdays at 09:00" },
  { id: "0 9 * * 1", text: "On Mondays at 09:00" },
  { id: "0 9 1 * *", text: "On the first of the month" },
  { id: ON_DEMAND, text: "Only on demand" },
];
const OWN = "own";
const SHOWN_TIMES = 5;
const zoneChoices = zones.map((id) => ({ id, text: id.replaceAll("_", " ") }));

type CronFieldProps = {
  readonly cron: string;
  readonly zone: string;
  readonly cronError: string | undefined;
  readonly zoneError: string | undefined;
  readonly onChange: (changes: { readonly cron_expr?: string; readonly timezone?: string }) => void;
};

/** When a schedule runs: an expression, what it means, and when that is next. */
export function CronField({ cron, zone, cronError, zoneError, onChange }: CronFieldProps) {
  const minute = Math.floor(useNow() / 60_000) * 60;
  const problem = problemOfCron(cron);
  const times = useMemo(
    () => (problem === undefined ? nextTimes({ cron_expr: cron, timezone: zone }, minute, SHOWN_TIMES) : []),
    [cron, zone, minute, problem],
  );
  const preset = presets.find(({ id }) => id === cron.trim());
  const isOnDemand = cron.trim() === ON_DEMAND;
  return (
    <fieldset className="form-group">
      <legend>When it runs</legend>
      <div className="form-columns">
        <Select
          label="Repeats"
          choices={[
            ...presets.map(({ id, text }) => ({ id: id || "none", text })),
            { id: OWN, text: "Custom times" },
          ]}
          value={preset ? preset.id || "none" : OWN}
          onChange={(id) =>
            onChange({ cron_expr: id === "none" ? ON_DEMAND : id === OWN ? "30 8 * * *" : id })
          }
        />
        <TextField
          label="Cron expression"
          value={cron}
          onChange={(text) => onChange({ cron_expr: text })}
          placeholder="minute hour day month weekday"
          inputClass="react-aria-Input mono"
          error={cronError ?? problem}
          hint="minute, hour, day of month, month, day of week"
        />
        <Combo
          label="Time zone"
          choices={
            zone !== "" && !zoneChoices.some(({ id }) => id === zone)
              ? [{ id: zone, text: zone }, ...zoneChoices]
              : zoneChoices
          }
          value={zone}
          onChange={(id) => onChange({ timezone: id })}
          error={zoneError}
        />
      </div>
      <div className="cron-meaning" aria-live="polite">
        <div className="cron-words">
          {problem === undefined ? (cronWords(cron.trim()) ?? "These times have no short description.") : "–"}
        </div>
        {isOnDemand ? (
          <p className="small faint">It has no times of its own.</p>
        ) : times.length === 0 ? (
          <p className="small faint">
            {isZone(zone)
              ? "The next times are shown here."
              : "Choose a time zone, and the next times are shown here."}
          </p>
        ) : (
          <ol className="cron-times" aria-label="Next times">
            {times.map((at) => (
              <li key={at} className="number">
                {timeIn(at, zone)}
              </li>
            ))}
          </ol>
        )}
      </div>
    </fieldset>
  );
}
