import type { Operations } from "../../../../client/index.ts";
import { platform } from "../../../api/platform.ts";
import { linesIn, MOST_TAGS, wordsIn } from "../../evaluations/datasets/sorting.ts";
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
  /** Regular expressions whose matches are taken out, one a line. */
  readonly patterns: string;
  /** Whether the cases outlive the sessions that they are made of. */
  readonly outlive: boolean;
};

/** What is not filled in as it should be; undefined where the cases can be made. */
export function faultOf(draft: CasesDraft): string | undefined {
  const { dataset, name, most, names, tags, outlive } = draft;
  if (dataset === "" && name.trim() === "") return "Choose a dataset, or name a new one.";
  const count = Number(most);
  if (!Number.isInteger(count) || count < 1 || count > MOST_CASES)
    return `One request takes 1 to ${MOST_CASES} runs.`;
  if (wordsIn(tags).length > MOST_TAGS) return `A case has ${MOST_TAGS} tags at most.`;
  if (wordsIn(names).length > 100) return "100 names at most are taken out.";
  const patterns = linesIn(draft.patterns);
  if (patterns.length > MOST_PATTERNS) return `${MOST_PATTERNS} patterns at most are taken out.`;
  const wrong = patterns.find((pattern) => !isPattern(pattern));
  if (wrong !== undefined) return `“${wrong}” is no regular expression.`;
  if (outlive && takesNothing(draft)) return "Cases that are kept need something to be taken out.";
  return undefined;
}

const MOST_PATTERNS = 10;

function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false;
  }
}

/** Whether the texts become cases as they were said. */
export const takesNothing = ({
  detect,
  names,
  patterns,
}: Pick<CasesDraft, "detect" | "names" | "patterns">): boolean =>
  detect.length === 0 && wordsIn(names).length === 0 && linesIn(patterns).length === 0;

/** What the platform is asked for. @param areOthers  whether runs of other users may be among them */
export function bodyOf(of: CasesOf, draft: CasesDraft, areOthers: boolean): Body {
  const [tags, names] = [wordsIn(draft.tags), wordsIn(draft.names)];
  const patterns = linesIn(draft.patterns);
  const asSaid = takesNothing(draft);
  return {
    ...(of.which === "chosen"
      ? { runs: of.runs.map(({ run_id, session_id }) => ({ run_id, session_id })) }
      : { filter: filterOf(of.filter), most: Number(draft.most) }),
    expected: draft.expected,
    ...(draft.split && { split: draft.split }),
    ...(tags.length > 0 && { tags }),
    ...(!asSaid && {
      redact: {
        detect: draft.detect,
        ...(names.length > 0 && { names }),
        ...(patterns.length > 0 && { patterns }),
      },
    }),
    ...(asSaid && areOthers && { redact: false }),
    ...(draft.outlive && { on_removed_source: "keep" }),
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

/** The filter of the list, whose states are a list in JSON. */
const filterOf = ({ status, ...rest }: RunFilter): NonNullable<Body["filter"]> => ({
  ...rest,
  ...(status && { status }),
});
