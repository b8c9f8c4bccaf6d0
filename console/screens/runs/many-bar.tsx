import { CircleStop, Download, ListRestart, Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../access/use-me.ts";
import { pluralOf } from "../../api/kinds.ts";
import { countOf, countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { RemoveSessions } from "../sessions/remove-sessions.tsx";
import { exportCsv, exportJsonl } from "./export-runs.ts";
import { type Asked, ManyDialog } from "./many-dialog.tsx";
import { liveOf } from "./many-runs.ts";
import type { RunEntry, RunFilter } from "./use-run-list.ts";

type ManyBarProps = {
  readonly chosen: readonly RunEntry[];
  readonly filter: RunFilter;
  readonly onClear: () => void;
  /** Called when runs were changed. */
  readonly onActed: () => void;
};

/** What can be done with many runs: with those that are selected, else with all live ones of a component or a user. */
export function ManyBar({ chosen, filter, onClear, onActed }: ManyBarProps) {
  const may = useMay();
  const [asked, setAsked] = useState<Asked>();
  const [isRemoving, setRemoving] = useState(false);
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
        <AllLive filter={filter} onAsk={setAsked} />
      )}
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

/** The one act that stops all of a component, or of a user. */
function AllLive({ filter, onAsk }: { readonly filter: RunFilter; readonly onAsk: (asked: Asked) => void }) {
  const may = useMay();
  const { component_id, component_type, user_id } = filter;
  const kinds = component_type ? [component_type] : (["agent", "team", "workflow"] as const);
  if (!component_id && !user_id) return null;
  if (!kinds.some((kind) => may(`${pluralOf[kind]}:run`, component_id))) return null;
  return (
    <div className="row bulk-bar">
      <Button
        kind="danger"
        size="small"
        icon={<CircleStop size={13} aria-hidden />}
        onPress={() => onAsk({ act: "cancel", target: { which: "matching", filter } })}
      >
        Stop everything of {[component_id, user_id].filter(Boolean).join(" for ")}
      </Button>
    </div>
  );
}
