import { Check, X } from "lucide-react";
import { useState } from "react";
import type { Approval } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { notifyFailure } from "../../parts/messages.tsx";
import { AnswerFields, type Answers, askedFields, valuesOf } from "./answers.tsx";
import { Calls, titleOf } from "./calls.tsx";
import { EditFields, type Edits, editableCalls, editedArgs } from "./edits.tsx";
import { type Decided, useResolve } from "./resolve.ts";

type DecisionProps = {
  readonly approval: Approval;
  /** What a key asked for: it is done after a confirmation. */
  readonly asked: Decided["status"] | undefined;
  readonly onAsked: (asked: Decided["status"] | undefined) => void;
  readonly onDecide: () => void;
};

/** Where an approval is given or refused, with a note. */
export function Decision({ approval, asked, onAsked, onDecide }: DecisionProps) {
  const may = useMay();
  const resolve = useResolve(approval);
  const [note, setNote] = useState("");
  const [answers, setAnswers] = useState<Answers>({});
  const [edits, setEdits] = useState<Edits>({});
  const fields = askedFields(approval);
  const calls = editableCalls(approval);
  if (!may("approvals:write")) {
    return (
      <p className="soft">
        A user with the scope “approvals:write” decides. The run waits until then
        {approval.expires_at !== null && ", or until the approval expires"}.
      </p>
    );
  }
  const decide = (status: Decided["status"]) => {
    onAsked(undefined);
    try {
      const isApproved = status === "approved";
      const values = isApproved ? valuesOf(fields, answers) : {};
      const edited = isApproved ? editedArgs(calls, edits) : {};
      onDecide();
      resolve.mutate({ status, data: { ...values, ...(note && { note }) }, edited });
    } catch (error) {
      notifyFailure(error);
    }
  };
  const isApproval = asked === "approved";
  return (
    <div className="decision">
      <AnswerFields asked={fields} answers={answers} onChange={setAnswers} />
      <EditFields calls={calls} edits={edits} onChange={setEdits} />
      <TextField
        label="Note (optional)"
        hint="Kept with the decision. If you reject, the agent receives it."
        rows={2}
        maxLength={2000}
        value={note}
        onChange={setNote}
      />
      <div className="decision-acts">
        <span className="small faint keys-hint">
          <kbd>a</kbd> and <kbd>r</kbd> decide, <kbd>j</kbd> and <kbd>k</kbd> go through the list
        </span>
        <Button
          kind="danger"
          icon={<X size={15} aria-hidden />}
          isDisabled={resolve.isPending}
          onPress={() => decide("rejected")}
        >
          Reject
        </Button>
        <Button
          kind="main"
          icon={<Check size={15} aria-hidden />}
          isDisabled={resolve.isPending}
          onPress={() => decide("approved")}
        >
          Approve
        </Button>
      </div>
      <Confirm
        title={`${isApproval ? "Approve" : "Reject"} ${titleOf(approval)}?`}
        isOpen={asked !== undefined}
        onClose={() => onAsked(undefined)}
        action={isApproval ? "Approve" : "Reject"}
        isDangerous={!isApproval}
        isBusy={resolve.isPending}
        onConfirm={() => asked && decide(asked)}
      >
        <Calls approval={approval} />
        <p className="soft">
          {isApproval
            ? "It is called as shown here, with the arguments that you have changed, and the run continues."
            : "It is not called; the run continues without it."}
        </p>
      </Confirm>
    </div>
  );
}
