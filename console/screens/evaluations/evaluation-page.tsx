import { useMutation, useQueryClient } from "@tanstack/react-query";
import { GitCompare, Pencil, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import type { EvalRun } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { useFilters } from "../../api/use-filters.ts";
import { costText, countText } from "../../parts/amounts.ts";
import { Badge, State } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { Menu } from "../../parts/menu.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Amounts, Card, Meta, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { CaseCard } from "./case-card.tsx";
import { ChooseEvaluation, Comparison, comparisonOf } from "./comparison.tsx";
import { nameOf, numberIn, outcomeOf, scoreText, typeText } from "./outcome.ts";
import { Progress } from "./progress.tsx";
import { RenameForm } from "./rename-form.tsx";
import { useCases, useEarlier, useEvaluation } from "./use-evaluations.ts";

const names = ["with"] as const;
const back = { to: "/evaluations", text: "Evaluations" };

/** One evaluation: its result, case by case. */
export function EvaluationPage({ id }: { readonly id: string }) {
  const { data: run, error, refetch } = useEvaluation(id);
  const [{ with: other }, change] = useFilters(names);
  const cases = useCases(id, run?.status === "running");
  const rows = useMemo(() => cases.data?.pages.flatMap(({ data }) => data) ?? [], [cases.data]);
  if (!run) {
    return (
      <Page title="Evaluation" back={back}>
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  return (
    <Page title={nameOf(run)} back={back} about={<About run={run} />} actions={<Actions run={run} />}>
      {run.error !== null && <Notice tone="bad">{run.error}</Notice>}
      <Summary run={run} />
      {other ? (
        <Comparison run={run} cases={rows} other={other} onClose={() => change({ with: "" })} />
      ) : cases.isPending ? (
        <Card title="Cases">
          <Skeleton lines={6} />
        </Card>
      ) : cases.isError && rows.length === 0 ? (
        <Failed error={cases.error} retry={() => cases.refetch()} />
      ) : (
        <section className="stack" aria-label="Cases">
          <h2>Cases</h2>
          <div className="cases">
            {rows.map((one) => (
              <CaseCard key={one.number} type={run.eval_type} of={one} place={placeOf(run)} />
            ))}
          </div>
        </section>
      )}
      {cases.hasNextPage && (
        <div>
          <Button isDisabled={cases.isFetchingNextPage} onPress={() => void cases.fetchNextPage()}>
            Show more cases
          </Button>
        </div>
      )}
    </Page>
  );
}

const placeOf = ({ agent_id, team_id }: EvalRun) =>
  agent_id === null
    ? ({ kind: "team", component: team_id ?? "" } as const)
    : ({ kind: "agent", component: agent_id } as const);

function About({ run }: { readonly run: EvalRun }) {
  const may = useMay();
  const { kind, component } = placeOf(run);
  return (
    <Meta>
      <State of={run.status} />
      <span>{typeText[run.eval_type]}</span>
      {may("components:read") ? (
        <Link href={`/components/${encodeURIComponent(component)}`}>{component}</Link>
      ) : (
        component
      )}
      <span className="faint">{kind}</span>
      {run.user_id !== null && <span className="faint">by {run.user_id}</span>}
      {run.created_at !== null && <Time at={run.created_at} />}
      <Id value={run.id} />
    </Meta>
  );
}

function Summary({ run }: { readonly run: EvalRun }) {
  const { eval_type, eval_data, metrics, progress, cases, status } = run;
  const { text, tone } = outcomeOf(eval_type, eval_data);
  const score = (name: string) => {
    const value = numberIn(eval_data, name);
    return value === undefined ? undefined : scoreText(value);
  };
  const rate = numberIn(eval_data, "pass_rate");
  const amounts = [
    [
      "Result",
      text === undefined ? undefined : tone ? (
        <Badge key="result" tone={tone}>
          {text}
        </Badge>
      ) : (
        text
      ),
    ],
    ["Lowest score", score("min_score")],
    ["Highest score", score("max_score")],
    ["Passed", rate === undefined || status === "running" ? undefined : `${scoreText(rate)} %`],
    ["Cases", countText(cases)],
    [
      "Runs",
      status === "running" ? (
        <Progress key="runs" {...progress} label="Runs that are done" />
      ) : (
        `${countText(progress.done)} of ${countText(progress.total)}`
      ),
    ],
    ["Model", run.model_id ?? undefined],
    ["Tokens", metrics?.total_tokens === undefined ? undefined : countText(metrics.total_tokens)],
    ["Cost", metrics && costText(metrics)],
  ] as const;
  return <Amounts of={amounts} />;
}

function Actions({ run }: { readonly run: EvalRun }) {
  const may = useMay();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<"compare" | "rename" | "delete">();
  const close = () => setAsked(undefined);
  const earlier = useEarlier(run);
  const remove = useMutation({
    mutationFn: () => platform.removeEvals({ body: { eval_run_ids: [run.id] } }),
    onSuccess: () => {
      notify(`${nameOf(run)} was deleted.`);
      void client.invalidateQueries({ queryKey: ["evaluations", "list"] });
      navigate("/evaluations");
    },
    onError: notifyFailure,
  });
  return (
    <>
      <Button
        icon={<GitCompare size={15} aria-hidden />}
        onPress={() => (earlier ? navigate(comparisonOf(run.id, earlier.id)) : setAsked("compare"))}
      >
        Compare
      </Button>
      <Menu
        label="More"
        entries={[
          ...(may("evals:write")
            ? [
                {
                  id: "rename",
                  text: "Rename",
                  icon: <Pencil size={14} aria-hidden />,
                  onAction: () => setAsked("rename"),
                },
              ]
            : []),
          ...(may("evals:delete")
            ? [
                {
                  id: "delete",
                  text: "Delete",
                  icon: <Trash2 size={14} aria-hidden />,
                  isDangerous: true,
                  onAction: () => setAsked("delete"),
                },
              ]
            : []),
        ]}
      />
      {asked === "compare" && <ChooseEvaluation run={run} onClose={close} />}
      {asked === "rename" && <RenameForm run={run} onClose={close} />}
      <Confirm
        title={`Delete ${nameOf(run)}?`}
        isOpen={asked === "delete"}
        onClose={close}
        action="Delete the evaluation"
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          Its results are lost{run.status === "running" ? ", and it stops" : ""}. The sessions of its runs
          stay.
        </p>
      </Confirm>
    </>
  );
}
