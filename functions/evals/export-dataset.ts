import { notFound } from "../../shared/errors.ts";
import { type Handler, Reply } from "../../shared/http/handler.ts";
import type { evalRoutes } from "../../shared/routes/evals.ts";
import { JSON_LINES } from "../../shared/schemas/values/json-lines-type.ts";
import { getDatasetCases, type StoredCase } from "../../shared/stores/evals/index.ts";
import type { EvalsDeps } from "./evals-deps.ts";
import { visibleDataset } from "./visible-dataset.ts";
import { wireCase } from "./wire-case.ts";

type Format = "jsonl" | "openai" | "sft";

/**
 * The cases of a version as lines of JSON. Headers say how many are in it, and how many of which kind are left out.
 *
 * @source docs/interface/evals.md 1.5
 */
export const exportDataset: Handler<typeof evalRoutes.exportDataset, Pick<EvalsDeps, "db">> = async (
  { params, query, principal },
  { db },
) => {
  const { id, version: newest } = await visibleDataset(db, principal, params.dataset_id, query);
  const version = query.version ?? newest;
  const all = await getDatasetCases(db, id, version);
  if (!all) throw notFound("version", `${version} of dataset ${id}`);
  const cases = all.filter((one) => !one.erased && (query.split === undefined || one.split === query.split));
  const left = leftOut(query.format, cases);
  const lines = cases.filter((one) => !left.has(one)).map((one) => lineOf[query.format](one));
  const count = (why: string) => [...left.values()].filter((one) => one === why).length;
  return new Reply(200, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")), {
    "content-type": JSON_LINES,
    "x-cases": String(lines.length),
    "x-left-out-erased": String(all.filter(({ erased }) => erased).length),
    "x-left-out-tool-runs": String(count("tools")),
    "x-left-out-without-answer": String(count("answer")),
  });
};

/** For training, a line is a question with its answer: a run that called tools is more than that. */
function leftOut(format: Format, cases: readonly StoredCase[]): ReadonlyMap<StoredCase, "tools" | "answer"> {
  if (format !== "sft") return new Map();
  return new Map(
    cases.flatMap((one): [StoredCase, "tools" | "answer"][] => {
      if ((one.source?.tool_calls ?? 0) > 0 || (one.expected_tool_calls ?? []).length > 0)
        return [[one, "tools"]];
      return one.expected_output ? [] : [[one, "answer"]];
    }),
  );
}

const lineOf: Readonly<Record<Format, (one: StoredCase) => object>> = {
  jsonl: wireCase,
  openai: (one) => ({ item: wireCase(one) }),
  sft: ({ input, expected_output }) => ({
    messages: [
      { role: "user", content: input },
      { role: "assistant", content: expected_output },
    ],
  }),
};
