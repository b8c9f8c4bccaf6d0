import type { Operations } from "../../../../client/index.ts";
import { platform } from "../../../api/platform.ts";
import type { RunFilter } from "../use-run-list.ts";

/** Runs that cases are made of: those that were selected, or those that a filter lets through. */
export type CasesOf =
  | { readonly which: "chosen"; readonly runs: readonly CaseRun[] }
  | { readonly which: "matching"; readonly filter: RunFilter };

export type CaseRun = {
  readonly run_id: string;
  readonly session_id: string;
  readonly user_id?: string | null | undefined;
};

type Body = Operations["addDatasetCases"]["input"]["body"];
export type Detectable = NonNullable<Exclude<Body["redact"], boolean | undefined>["detect"]>[number];
export type Added = Operations["addDatasetCases"]["answer"];

export const detectableChoices = [
  { id: "email", text: "Email addresses" },
  { id: "phone", text: "Phone numbers" },
  { id: "iban", text: "IBANs" },
  { id: "card", text: "Card numbers" },
  { id: "ip", text: "IP addresses" },
] as const satisfies readonly { readonly id: Detectable; readonly text: string }[];

export const allDetectable: readonly Detectable[] = detectableChoices.map(({ id }) => id);

/** Most runs that one request takes. */
export const MOST_CASES = 500;

export type CasesDraft = {
  /** Id of the dataset; empty for a new one. */
  readonly dataset: string;
  /** What the new one is called. */
  readonly name: string;
  readonly expected: "answer" | "correction" | "none";
  readonly split: "" | "train" | "test";
  /** Separated by commas. */
  readonly tags: string;
  /** How many runs a filter takes. */
  readonly most: string;
  readonly detect: readonly Detectable[];
  /** Names to take out, separated by commas. */
  readonly names: string;
};

/** What is not filled in as it should be; undefined where the cases can be made. */
export function faultOf({ dataset, name, most, names, tags }: CasesDraft): string | undefined {
  if (dataset === "" && name.trim() === "") return "Choose a dataset, or name a new one.";
  const count = Number(most);
  if (!Number.isInteger(count) || count < 1 || count > MOST_CASES)
    return `One request takes 1 to ${MOST_CASES} runs.`;
  if (wordsIn(tags).length > 20) return "A case has 20 tags at most.";
  if (wordsIn(names).length > 100) return "100 names at most are taken out.";
  return undefined;
}

/** What the platform is asked for. @param areOthers  whether runs of other users may be among them */
export function bodyOf(of: CasesOf, draft: CasesDraft, areOthers: boolean): Body {
  const [tags, names] = [wordsIn(draft.tags), wordsIn(draft.names)];
  const takesNothing = draft.detect.length === 0 && names.length === 0;
  return {
    ...(of.which === "chosen"
      ? { runs: of.runs.map(({ run_id, session_id }) => ({ run_id, session_id })) }
      : { filter: filterOf(of.filter), most: Number(draft.most) }),
    expected: draft.expected,
    ...(draft.split && { split: draft.split }),
    ...(tags.length > 0 && { tags }),
    ...(!takesNothing && { redact: { detect: draft.detect, ...(names.length > 0 && { names }) } }),
    ...(takesNothing && areOthers && { redact: false }),
  };
}

/** Adds the cases, to a new dataset where none is chosen. @param onMade  called with the id of a new one */
export async function addCases(
  of: CasesOf,
  draft: CasesDraft,
  areOthers: boolean,
  onMade: (id: string) => void,
): Promise<Added> {
  const dataset_id = draft.dataset || (await newDataset(draft.name.trim(), onMade));
  return platform.addDatasetCases({ path: { dataset_id }, body: bodyOf(of, draft, areOthers) });
}

async function newDataset(name: string, onMade: (id: string) => void): Promise<string> {
  const { id } = await platform.createDataset({ body: { name } });
  onMade(id);
  return id;
}

/** The words of a field, without those that stand there twice. */
const wordsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== ""),
  ),
];

/** The filter of the list, whose states are a list in JSON. */
const filterOf = ({ status, ...rest }: RunFilter): NonNullable<Body["filter"]> => ({
  ...rest,
  ...(status && { status }),
});
