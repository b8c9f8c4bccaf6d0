import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { Schedule } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { fieldErrors } from "../../parts/form/field-errors.ts";
import { TextField } from "../../parts/form/fields.tsx";
import { Select } from "../../parts/form/select.tsx";
import { notify } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { CronField } from "./cron-field.tsx";
import { bodyOf, type Draft, draftOf, emptyDraft, problemsOf } from "./draft.ts";
import { TargetField } from "./target-field.tsx";

const shownFields = [
  "name",
  "description",
  "endpoint",
  "method",
  "payload",
  "cron_expr",
  "timezone",
  "overlap",
  "max_retries",
  "retry_delay_seconds",
  "timeout_seconds",
];

const overlaps = [
  { id: "skip", text: "Skip it", about: "the time passes without a run" },
  { id: "queue", text: "Wait", about: "it runs when the previous one has ended" },
  { id: "allow", text: "Run both", about: "in parallel with the previous one" },
];

type ScheduleFormProps = {
  /** The schedule to change, or to copy where a new one is made. */
  readonly from?: Schedule;
  readonly isNew: boolean;
  /** `kind:id` of what a new one runs. */
  readonly target?: string;
  readonly onClose: () => void;
  readonly onDone?: () => void;
};

/** Makes a schedule, or changes one. */
export function ScheduleForm({ from, isNew, target = "", onClose, onDone }: ScheduleFormProps) {
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState<Draft>(() => (from ? draftOf(from, isNew) : emptyDraft(target)));
  const [isTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (): Promise<Schedule> =>
      from && !isNew
        ? platform.updateSchedule({ path: { schedule_id: from.id }, body: bodyOf(draft) })
        : platform.createSchedule({ body: bodyOf(draft) }),
    onSuccess: (saved) => {
      notify(isNew ? `${saved.name} was created.` : `${saved.name} was changed.`);
      client.setQueryData(["schedules", "one", saved.id], saved);
      onDone?.();
      void client.invalidateQueries({ queryKey: ["schedules"] });
      if (isNew) navigate(`/schedules/${encodeURIComponent(saved.id)}`);
      else onClose();
    },
  });
  const refused = fieldErrors(save.error, shownFields);
  const own = isTried ? problemsOf(draft) : {};
  const errors = { ...refused.of, ...own };
  const change = (changes: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changes }));
    if (save.isError) save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problemsOf(draft)).length === 0) save.mutate();
  };
  const number = (
    name: "max_retries" | "retry_delay_seconds" | "timeout_seconds",
    label: string,
    hint: string,
  ) => (
    <TextField
      label={label}
      inputMode="numeric"
      value={draft[name]}
      onChange={(text) => change({ [name]: text })}
      error={errors[name]}
      hint={hint}
    />
  );
  return (
    <Dialog title={isNew ? "New schedule" : `Edit ${from?.name ?? "schedule"}`} isOpen onClose={onClose} wide>
      <form className="form" onSubmit={submit} noValidate>
        {refused.rest !== undefined && <Notice tone="bad">{refused.rest}</Notice>}
        <div className="form-columns">
          <TextField
            label="Name"
            value={draft.name}
            onChange={(name) => change({ name })}
            error={errors.name}
            placeholder="nightly report"
            autoFocus
          />
          <TextField
            label="Description (optional)"
            value={draft.description}
            onChange={(description) => change({ description })}
            error={errors.description}
          />
        </div>
        <TargetField draft={draft} errors={errors} onChange={change} />
        <CronField
          cron={draft.cron_expr}
          zone={draft.timezone}
          cronError={errors.cron_expr}
          zoneError={errors.timezone}
          onChange={change}
        />
        <fieldset className="form-group">
          <legend>When it takes long, or fails</legend>
          <div className="form-columns form-columns-four">
            <Select
              label="While the previous one runs"
              choices={overlaps}
              value={draft.overlap}
              onChange={(id) => change({ overlap: id as Draft["overlap"] })}
            />
            {number("max_retries", "Retries", "0 to 10")}
            {number("retry_delay_seconds", "Wait before a retry", "seconds, up to 3600")}
            {number("timeout_seconds", "Timeout", "seconds, up to 86400")}
          </div>
        </fieldset>
        <div className="dialog-actions">
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="main" type="submit" isDisabled={save.isPending}>
            {isNew ? "Create the schedule" : "Save the changes"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
