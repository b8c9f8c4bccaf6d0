import { useMutation } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import { useMay } from "../../../access/use-me.ts";
import { platform } from "../../../api/platform.ts";
import { useRows } from "../../../api/reading-of.ts";
import { useFilters } from "../../../api/use-filters.ts";
import { countOf } from "../../../parts/amounts.ts";
import { Button } from "../../../parts/button.tsx";
import { Confirm } from "../../../parts/dialog.tsx";
import { Select } from "../../../parts/form/select.tsx";
import { Id } from "../../../parts/id.tsx";
import { notify, notifyFailure } from "../../../parts/messages.tsx";
import { Card, Facts, Meta, Page } from "../../../parts/page.tsx";
import { Failed, Skeleton } from "../../../parts/state.tsx";
import { Time } from "../../../parts/time.tsx";
import { Labelled } from "../case-card.tsx";
import { NewVersion } from "./new-dataset.tsx";
import {
  type Dataset,
  type DatasetCase,
  readDatasetListAgain,
  useDataset,
  useDatasetCases,
} from "./use-datasets.ts";

const back = { to: "/evaluations/datasets", text: "Datasets" };
const names = ["version"] as const;

/** One dataset: the cases of one of its versions. */
export function DatasetPage({ id }: { readonly id: string }) {
  const { data: dataset, error, refetch } = useDataset(id);
  const [{ version: chosen }, change] = useFilters(names);
  if (!dataset) {
    return (
      <Page title="Dataset" back={back}>
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  const { version: newest } = dataset;
  const version = Number(chosen) || newest;
  const versions = Array.from({ length: newest }, (_, at) => newest - at);
  return (
    <Page
      title={dataset.name}
      back={back}
      about={
        <Meta>
          {dataset.description !== null && <span>{dataset.description}</span>}
          {dataset.user_id !== null && <span className="faint">by {dataset.user_id}</span>}
          <Time at={dataset.created_at} />
          <Id value={dataset.id} />
        </Meta>
      }
      actions={<Actions dataset={dataset} />}
    >
      {newest > 1 && (
        <Select
          label="Version"
          choices={versions.map((one) => ({
            id: String(one),
            text: one === newest ? `${one}, the newest` : String(one),
          }))}
          value={String(version)}
          onChange={(next) => change({ version: next === String(newest) ? "" : next })}
        />
      )}
      <Cases key={version} id={id} version={version} />
    </Page>
  );
}

function Cases({ id, version }: { readonly id: string; readonly version: number }) {
  const pages = useDatasetCases(id, version);
  const cases = useRows(pages);
  if (pages.isPending) return <Skeleton lines={6} />;
  if (pages.isError && cases.length === 0)
    return <Failed error={pages.error} retry={() => pages.refetch()} />;
  const count = pages.data?.pages[0]?.cases ?? 0;
  return (
    <section className="stack" aria-label="Cases">
      <h2>{countOf(count, "case")}</h2>
      <div className="cases">
        {cases.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a version never changes, and a case has no other identity
          <Case key={at} number={at + 1} of={one} />
        ))}
      </div>
      {pages.hasNextPage && (
        <div>
          <Button isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
            Show more cases
          </Button>
        </div>
      )}
    </section>
  );
}

function Case({ number, of: one }: { readonly number: number; readonly of: DatasetCase }) {
  if ("erased" in one) {
    return (
      <Card title={`Case ${number}`}>
        <p className="soft">It was erased with the session that it was taken from.</p>
      </Card>
    );
  }
  const { name, input, expected_output, criteria, expected_tool_calls, tags, split } = one;
  return (
    <Card title={name ? `${number}. ${name}` : `Case ${number}`}>
      <div className="stack">
        <Labelled label="Input" text={input} />
        {expected_output && <Labelled label="Expected answer" text={expected_output} />}
        {criteria && <Labelled label="Criteria" text={criteria} />}
        <Facts
          of={[
            ["Expected tools", expected_tool_calls?.join(", ")],
            ["Tags", tags?.join(", ")],
            ["Split", split],
          ]}
        />
      </div>
    </Card>
  );
}

function Actions({ dataset }: { readonly dataset: Dataset }) {
  const may = useMay();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<"version" | "delete">();
  const close = () => setOpen(undefined);
  const remove = useMutation({
    mutationFn: () => platform.removeDataset({ path: { dataset_id: dataset.id } }),
    onSuccess: () => {
      notify(`${dataset.name} is deleted.`);
      void readDatasetListAgain();
      navigate("/evaluations/datasets");
    },
    onError: notifyFailure,
  });
  return (
    <>
      {may("evals:delete") && (
        <Button icon={<Trash2 size={15} aria-hidden />} onPress={() => setOpen("delete")}>
          Delete
        </Button>
      )}
      {may("evals:write") && (
        <Button icon={<Plus size={15} aria-hidden />} onPress={() => setOpen("version")}>
          New version
        </Button>
      )}
      {open === "version" && <NewVersion dataset={dataset} onClose={close} />}
      <Confirm
        title="Delete this dataset?"
        isOpen={open === "delete"}
        onClose={close}
        action="Delete the dataset"
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>All of its versions are deleted. Evaluations that used it keep their cases.</p>
      </Confirm>
    </>
  );
}
