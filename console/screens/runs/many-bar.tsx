import { CircleStop, Download, FlaskConical, ListRestart, Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../access/use-me.ts";
import { pluralOf } from "../../api/kinds.ts";
import { countOf, countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { RemoveSessions } from "../sessions/remove-sessions.tsx";
import { AddToDataset } from "./cases/add-to-dataset.tsx";
import type { CasesOf } from "./cases/new-cases.ts";
import { exportCsv, exportJsonl } from "./export-runs.ts";
import { type Asked, ManyDialog } from "./many-dialog.tsx";
import { liveOf } from "./many-runs.ts";
import type { RunEntry, RunFilter } from "./use-run-list.ts";

type ManyBarProps = {
  readonly chosen: readonly RunEntry[];
  readonly filter: RunFilter;
  /** Whether the filter leaves anything out. */
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  /** Called when runs were changed. */
  readonly onActed: () => void;
};

/** What can be done with many runs: with those that are selected, else with all that a filter lets through. */
export function ManyBar({ chosen, filter, isFiltered, onClear, onActed }: ManyBarProps) {
  const may = useMay();
  const [asked, setAsked] = useState<Asked>();
  const [isRemoving, setRemoving] = useState(false);
  const [casesOf, setCasesOf] = useState<CasesOf>();
  const mayAddCases = may("evals:read") && may("evals:write");
  const done = () => {
    onClear();
    onActed();
  };
  const runnable = chosen.filter(({ component_type, component_id }) =>
    may(`${pluralOf[component_type]}:run`, component_id),
  );
  const live = liveOf(runnable);
  const sessions = [...new Map(chosen.map((run) => [run.session_id, run])).values()].map((run) => ({
    session_id: run.session_id,
    session_type: run.component_type,
    session_name: run.session_name ?? run.input_preview,
  }));
  const exports = [
    {
      id: "jsonl",
      text: "JSONL, everything that is recorded",
      onAction: () => {
        exportJsonl(chosen).then(() => notify(`${countOf(chosen.length, "run")} exported.`), notifyFailure);
      },
    },
    { id: "csv", text: "CSV, the table", onAction: () => exportCsv(chosen) },
  ];
  return (
    <>
      {chosen.length > 0 ? (
        <div className="row bulk-bar">
          <span className="bulk-count">{countText(chosen.length)} selected</span>
          {live.length > 0 && (
            <Button
              kind="danger"
              size="small"
              icon={<CircleStop size={13} aria-hidden />}
              onPress={() => setAsked({ act: "cancel", target: { which: "chosen", runs: live } })}
            >
              Cancel {countText(live.length)}
            </Button>
          )}
          {runnable.length > 0 && (
            <Button
              size="small"
              icon={<ListRestart size={13} aria-hidden />}
              onPress={() => setAsked({ act: "again", runs: runnable })}
            >
              Run again
            </Button>
          )}
          {mayAddCases && (
            <Button
              size="small"
              icon={<FlaskConical size={13} aria-hidden />}
              onPress={() => setCasesOf({ which: "chosen", runs: chosen })}
            >
              Add to dataset
            </Button>
          )}
          <Menu label="Export" icon={<Download size={13} aria-hidden />} entries={exports} />
          {may("sessions:delete") && (
            <Button
              kind="danger"
              size="small"
              icon={<Trash2 size={13} aria-hidden />}
              onPress={() => setRemoving(true)}
            >
              Delete {countOf(sessions.length, "session")}
            </Button>
          )}
          <Button kind="plain" size="small" onPress={onClear}>
            Select none
          </Button>
        </div>
      ) : (
        <Everything
          filter={filter}
          onAsk={setAsked}
          {...(mayAddCases && isFiltered && { onAddCases: () => setCasesOf({ which: "matching", filter }) })}
        />
      )}
      {casesOf && <AddToDataset of={casesOf} onClose={() => setCasesOf(undefined)} onDone={onClear} />}
      {asked && <ManyDialog asked={asked} onClose={() => setAsked(undefined)} onDone={done} />}
      <RemoveSessions
        sessions={sessions}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onDone={done}
      />
    </>
  );
}

type EverythingProps = {
  readonly filter: RunFilter;
  readonly onAsk: (asked: Asked) => void;
  /** Absent where no cases can be made of it. */
  readonly onAddCases?: () => void;
};

/** What can be done with all that a filter lets through: to stop what is live of a component or a user, to make cases. */
function Everything({ filter, onAsk, onAddCases }: EverythingProps) {
  const may = useMay();
  const { component_id, component_type, user_id } = filter;
  const kinds = component_type ? [component_type] : (["agent", "team", "workflow"] as const);
  const mayStop =
    (component_id ?? user_id) !== undefined &&
    kinds.some((kind) => may(`${pluralOf[kind]}:run`, component_id));
  if (!mayStop && !onAddCases) return null;
  return (
    <div className="row bulk-bar">
      {mayStop && (
        <Button
          kind="danger"
          size="small"
          icon={<CircleStop size={13} aria-hidden />}
          onPress={() => onAsk({ act: "cancel", target: { which: "matching", filter } })}
        >
          Stop everything of {[component_id, user_id].filter(Boolean).join(" for ")}
        </Button>
      )}
      {onAddCases && (
        <Button size="small" icon={<FlaskConical size={13} aria-hidden />} onPress={onAddCases}>
          Add everything of this filter to a dataset
        </Button>
      )}
    </div>
  );
}
