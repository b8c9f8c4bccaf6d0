import { Copy, Pause, Pencil, Play, Trash2, Zap } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Schedule } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { pluralOf } from "../../api/kinds.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { targetOf } from "./target.ts";
import { useScheduleActs } from "./use-schedules.ts";

type ActionsProps = {
  readonly schedule: Schedule;
  /** All in one menu, as in a row of a list. */
  readonly folded?: boolean;
  readonly onEdit: () => void;
  readonly onCopy?: () => void;
  /** Called after something was started by hand. */
  readonly onActed?: () => void;
};

/** What may be done with a schedule by whoever is signed in. */
export function ScheduleActions({ schedule, folded = false, onEdit, onCopy, onActed }: ActionsProps) {
  const may = useMay();
  const [, navigate] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const { run, enable, disable, remove } = useScheduleActs(schedule, onActed);
  const target = targetOf(schedule);
  // To run a schedule takes the scope of what it runs, beside the one to change it.
  const mayRun =
    may("schedules:write") &&
    (target ? may(`${pluralOf[target.kind]}:run`, target.id) : may("platform:admin"));
  const mayWrite = may("schedules:write");
  const toggle = schedule.enabled ? disable : enable;
  const entries: MenuEntry[] = [
    ...(folded && mayRun && schedule.enabled
      ? [{ id: "run", text: "Run now", icon: <Zap size={14} aria-hidden />, onAction: () => run.mutate() }]
      : []),
    ...(folded && (schedule.enabled ? mayWrite : mayRun)
      ? [
          {
            id: "toggle",
            text: schedule.enabled ? "Pause" : "Resume",
            icon: schedule.enabled ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />,
            onAction: () => toggle.mutate(),
          },
        ]
      : []),
    ...(folded && mayWrite
      ? [{ id: "edit", text: "Edit", icon: <Pencil size={14} aria-hidden />, onAction: onEdit }]
      : []),
    ...(mayWrite && onCopy
      ? [{ id: "copy", text: "Create a copy", icon: <Copy size={14} aria-hidden />, onAction: onCopy }]
      : []),
    ...(may("schedules:delete")
      ? [
          {
            id: "delete",
            text: "Delete",
            icon: <Trash2 size={14} aria-hidden />,
            isDangerous: true,
            onAction: () => setRemoving(true),
          },
        ]
      : []),
  ];
  return (
    <>
      {!folded && (schedule.enabled ? mayWrite : mayRun) && (
        <Button
          icon={schedule.enabled ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          isDisabled={toggle.isPending}
          onPress={() => toggle.mutate()}
        >
          {schedule.enabled ? "Pause" : "Resume"}
        </Button>
      )}
      {!folded && mayWrite && (
        <Button icon={<Pencil size={15} aria-hidden />} onPress={onEdit}>
          Edit
        </Button>
      )}
      {!folded && mayRun && schedule.enabled && (
        <Button
          kind="main"
          icon={<Zap size={15} aria-hidden />}
          isDisabled={run.isPending}
          onPress={() => run.mutate()}
        >
          {run.isPending ? "Running" : "Run now"}
        </Button>
      )}
      <Menu label={`More for ${schedule.name}`} entries={entries} />
      <Confirm
        title={`Delete ${schedule.name}?`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        action="Delete the schedule"
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate("/schedules") })}
      >
        <p>
          It no longer runs, and the record of its attempts is lost. The runs themselves and their sessions
          stay.
        </p>
      </Confirm>
    </>
  );
}
