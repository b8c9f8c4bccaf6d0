import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { useMay } from "../../../access/use-me.ts";
import { runPath } from "../../../api/kinds.ts";
import { platform } from "../../../api/platform.ts";
import { useRows } from "../../../api/reading-of.ts";
import { countOf } from "../../../parts/amounts.ts";
import { Button } from "../../../parts/button.tsx";
import { Confirm } from "../../../parts/dialog.tsx";
import { Checkbox } from "../../../parts/form/fields.tsx";
import { RemovalBar } from "../../../parts/list/removal-bar.tsx";
import { notify, notifyFailure } from "../../../parts/messages.tsx";
import { Facts } from "../../../parts/page.tsx";
import { Failed, Skeleton } from "../../../parts/state.tsx";
import { Labelled } from "../case-card.tsx";
import { SortCase } from "./sort-case.tsx";
import { type Dataset, type DatasetCase, readDatasetsAgain, useDatasetCases } from "./use-datasets.ts";

type CasesProps = { readonly dataset: Dataset; readonly version: number };

const none: ReadonlySet<string> = new Set();

/** The cases of one version. Those of the newest can be sorted, and selected and removed. */
export function DatasetCases({ dataset, version }: CasesProps) {
  const may = useMay();
  const pages = useDatasetCases(dataset.id, version);
  const cases = useRows(pages);
  const [chosen, setChosen] = useState(none);
  const [isRemoving, setRemoving] = useState(false);
  const [sortedId, setSorted] = useState<string>();
  const remove = useMutation({
    mutationFn: () =>
      platform.changeDatasetCases({
        path: { dataset_id: dataset.id },
        body: { base_version: version, remove: [...chosen] },
      }),
    onSuccess: ({ version: next }) => {
      notify(`${countOf(chosen.size, "case")} removed: version ${next}.`);
      void readDatasetsAgain();
    },
    onError: notifyFailure,
    onSettled: () => setRemoving(false),
  });
  if (pages.isPending) return <Skeleton lines={6} />;
  if (pages.isError && cases.length === 0)
    return <Failed error={pages.error} retry={() => pages.refetch()} />;
  const count = pages.data?.pages[0]?.cases ?? 0;
  const sorted = cases.find(({ id }) => id === sortedId);
  const canChange = may("evals:write") && version === dataset.version;
  return (
    <section className="stack" aria-label="Cases">
      <div className="row">
        <h2>{countOf(count, "case")}</h2>
        {chosen.size > 0 && (
          <RemovalBar
            count={chosen.size}
            onRemove={() => setRemoving(true)}
            onClear={() => setChosen(none)}
          />
        )}
      </div>
      {count === 0 && (
        <p className="soft">This version has no cases. Select runs and add them, or store a file of cases.</p>
      )}
      <div className="cases">
        {cases.map((one, at) => (
          <Case
            key={one.id}
            number={at + 1}
            of={one}
            {...(canChange && {
              onSort: () => setSorted(one.id),
              choice: {
                isChosen: chosen.has(one.id),
                onChange: (is) =>
                  setChosen((ids) => new Set(is ? [...ids, one.id] : [...ids].filter((id) => id !== one.id))),
              },
            })}
          />
        ))}
      </div>
      {pages.hasNextPage && (
        <div>
          <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
            Show more cases
          </Button>
        </div>
      )}
      {sorted && !("erased" in sorted) && (
        <SortCase key={sorted.id} dataset={dataset} of={sorted} onClose={() => setSorted(undefined)} />
      )}
      <Confirm
        title={`Remove ${countOf(chosen.size, "case")}?`}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        action={`Remove ${countOf(chosen.size, "case")}`}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>The next version is without them. Earlier versions keep them.</p>
      </Confirm>
    </section>
  );
}

type CaseProps = {
  readonly number: number;
  readonly of: DatasetCase;
  /** Absent where cases cannot be removed. */
  readonly choice?: { readonly isChosen: boolean; readonly onChange: (isChosen: boolean) => void };
  /** Has tags and split changed. */
  readonly onSort?: () => void;
};

function Case({ number, of: one, choice, onSort }: CaseProps) {
  const name = "name" in one && one.name ? `${number}. ${one.name}` : `Case ${number}`;
  return (
    <section className="card">
      <div className="card-head">
        <h3>{name}</h3>
        {onSort && !("erased" in one) && (
          <Button kind="plain" size="small" aria-label={`Tags and split of case ${number}`} onPress={onSort}>
            Tags and split
          </Button>
        )}
        {choice && (
          <Checkbox
            aria-label={`Select case ${number}`}
            isSelected={choice.isChosen}
            onChange={choice.onChange}
          />
        )}
      </div>
      <div className="card-body stack">
        {"erased" in one ? (
          <p className="soft">It was erased with the session that it was taken from.</p>
        ) : (
          <WholeCase of={one} />
        )}
      </div>
    </section>
  );
}

type WholeCaseProps = { readonly of: Exclude<DatasetCase, { readonly erased: boolean }> };

function WholeCase({ of: one }: WholeCaseProps) {
  const { input, expected_output, criteria, expected_tool_calls, tags, split, source } = one;
  return (
    <>
      <Labelled label="Input" text={input} />
      {expected_output && <Labelled label="Expected answer" text={expected_output} />}
      {criteria && <Labelled label="Criteria" text={criteria} />}
      <Facts
        of={[
          ["Expected tools", expected_tool_calls?.join(", ")],
          ["Tags", tags?.join(", ")],
          ["Split", split],
          ["Taken from", source && <Source of={source} />],
        ]}
      />
    </>
  );
}

function Source({ of }: { readonly of: NonNullable<WholeCaseProps["of"]["source"]> }) {
  const { run_id, session_id, component_type: kind, component_id: component, component_version } = of;
  const version = component_version === undefined ? "" : `, version ${component_version}`;
  const name = `${kind} ${component}${version}`;
  if (run_id === undefined || session_id === undefined) return <>a run of {name}, which it outlives</>;
  return <Link href={runPath({ kind, component, session: session_id, run: run_id })}>a run of {name}</Link>;
}
