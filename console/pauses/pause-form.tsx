import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { useMemo, useState } from "react";
import { useMay } from "../access/use-me.ts";
import { pluralOf, type Run, type RunPlace } from "../api/kinds.ts";
import type { ContinueBody } from "../api/run-streams.ts";
import { countOf } from "../parts/amounts.ts";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Notice } from "../parts/notice.tsx";
import { errorText } from "../parts/state.tsx";
import { answersOf, type Draft, emptyDraft, type Problems, problemsOf } from "./answers.ts";
import { ApproverNotice, useApprovals } from "./approver-notice.tsx";
import { CallItem } from "./call-item.tsx";
import { continueInBackground } from "./continue-run.ts";
import { type Item, isDecision, itemsOf } from "./items.ts";
import { FailureItem, StepItem } from "./step-item.tsx";

type PauseFormProps = {
  readonly run: Run;
  readonly place: RunPlace;
  /** Another user, whose run it is: to answer in their place is asked for once more. */
  readonly owner?: string | undefined;
  /** Continues the run; in the background when absent. */
  readonly send?: (answers: ContinueBody) => Promise<unknown>;
  readonly onContinued?: () => void;
};

/** What a paused run waits for, and the answers that let it go on. Nothing where the run waits for nothing. */
export function PauseForm({ run, place, owner, send, onContinued }: PauseFormProps) {
  const may = useMay();
  const items = useMemo(() => itemsOf(run), [run]);
  const awaitsApprover = items.some((item) => item.kind === "call" && item.needsApprover);
  const { approvals, isPending } = useApprovals(run.run_id, awaitsApprover);
  if (items.length === 0) return null;
  const scope = `${pluralOf[place.kind]}:run`;
  return (
    <section className="pause" aria-label="What the run waits for">
      <div className="pause-head">
        <Hourglass size={16} aria-hidden />
        <h2>
          {items.length === 1 ? headingOf(items[0]) : `This run waits for ${countOf(items.length, "answer")}`}
        </h2>
      </div>
      {awaitsApprover && <ApproverNotice run_id={run.run_id} approvals={approvals} />}
      {owner !== undefined && (
        <p className="soft">
          It is a run of <strong>{owner}</strong>: your answers become part of their conversation.
        </p>
      )}
      {may(scope, place.component) ? (
        <Questions
          items={items}
          place={place}
          owner={owner}
          send={send ?? ((answers) => continueInBackground(place, answers))}
          isUndecided={isPending}
          {...(onContinued && { onContinued })}
        />
      ) : (
        <p className="soft">You need the scope {scope} to answer.</p>
      )}
    </section>
  );
}

function headingOf(item: Item | undefined): string {
  if (item?.kind === "failure") return "A step has failed: what next?";
  if (item?.kind === "call" && item.needsApprover) return "This run waits for an approval";
  return item && isDecision(item) ? "This run waits for a decision" : "This run waits for an answer";
}

type QuestionsProps = {
  readonly items: readonly Item[];
  readonly place: RunPlace;
  readonly owner: string | undefined;
  readonly send: (answers: ContinueBody) => Promise<unknown>;
  readonly isUndecided: boolean;
  readonly onContinued?: () => void;
};

function Questions({ items, place, owner, send, isUndecided, onContinued }: QuestionsProps) {
  const client = useQueryClient();
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const [isChecked, setChecked] = useState(false);
  const [asked, setAsked] = useState<Readonly<Record<string, Draft>>>();
  // One yes or no is said by the form's own buttons; several are chosen one by one.
  const [only] = items;
  const single = items.length === 1 && only && isDecision(only) ? only : undefined;
  const submit = useMutation({
    mutationFn: (given: Readonly<Record<string, Draft>>) => send(answersOf(place.kind, items, given)),
    onSuccess: () => {
      onContinued?.();
      return client.invalidateQueries({ queryKey: ["run", place.session, place.run] });
    },
  });
  const draftOf = ({ key }: Item): Draft => drafts[key] ?? emptyDraft;
  const change = (item: Item, changed: Partial<Draft>) =>
    setDrafts((before) => ({ ...before, [item.key]: { ...(before[item.key] ?? emptyDraft), ...changed } }));
  const answer = (given: Readonly<Record<string, Draft>>) => {
    setChecked(true);
    const isWhole = items.every((item) => isEmpty(problemsOf(item, given[item.key] ?? emptyDraft)));
    if (!isWhole) return;
    if (owner === undefined) submit.mutate(given);
    else setAsked(given);
  };
  const decide = (item: Item, decision: "yes" | "no") => {
    const given = { ...drafts, [item.key]: { ...draftOf(item), decision } };
    setDrafts(given);
    answer(given);
  };
  return (
    <>
      {items.map((item) => {
        const problems: Problems = isChecked ? problemsOf(item, draftOf(item)) : {};
        const shared = { draft: draftOf(item), problems, decidesHere: item !== single };
        const onChange = (changed: Partial<Draft>) => change(item, changed);
        if (item.kind === "call")
          return <CallItem key={item.key} {...shared} item={item} onChange={onChange} />;
        if (item.kind === "step")
          return <StepItem key={item.key} {...shared} item={item} onChange={onChange} />;
        return <FailureItem key={item.key} {...shared} item={item} onChange={onChange} />;
      })}
      <AnswerFor
        owner={owner}
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        onConfirm={() => {
          setAsked(undefined);
          if (asked) submit.mutate(asked);
        }}
      />
      {submit.isError && <Notice tone="bad">{errorText(submit.error)}</Notice>}
      {/* Nothing can be said before the approver has decided. */}
      {!isUndecided && (
        <div className="pause-actions">
          {single ? (
            <>
              <Button isDisabled={submit.isPending} onPress={() => decide(single, "no")}>
                {single.kind === "failure" ? "Continue without it" : "Reject"}
              </Button>
              <Button kind="main" isDisabled={submit.isPending} onPress={() => decide(single, "yes")}>
                {single.kind === "failure" ? "Try the step again" : "Approve"}
              </Button>
            </>
          ) : (
            <Button kind="main" isDisabled={submit.isPending} onPress={() => answer(drafts)}>
              Continue the run
            </Button>
          )}
        </div>
      )}
    </>
  );
}

type AnswerForProps = {
  readonly owner: string | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
};

/** The second step before another user's run is continued. */
function AnswerFor({ owner = "", ...asking }: AnswerForProps) {
  return (
    <Confirm
      title={`Continue the run of ${owner}?`}
      action={`Answer in ${owner}’s run`}
      isDangerous
      {...asking}
    >
      <p>
        What you answer, and what the run does with it, stays in the conversation of <strong>{owner}</strong>.
      </p>
      <p>The audit records it with your name.</p>
    </Confirm>
  );
}

const isEmpty = (problems: Problems): boolean => Object.keys(problems).length === 0;
