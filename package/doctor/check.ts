/** One row of the doctor's tables: one question, how it fails and what to do then. `docs/doctor.md` is made of the rows. */
export type Check<Place> = {
  readonly name: string;
  readonly asks: string;
  /** What is wrong when it fails. */
  readonly fails: string;
  readonly remedy: string;
  /** Whether the exit code depends on it. */
  readonly isRequired: boolean;
  /**
   * @returns what was found, in a few words
   * @throws Problem when it does not hold, NotExamined when it could not be asked; any other error is a problem too
   */
  readonly look: (place: Place) => Promise<string> | string;
};

/** What is wrong, with a remedy that fits better than the row's. */
export class Problem extends Error {
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** A question that could not be asked, and why. A required one does not hold then. */
export class NotExamined extends Error {}

export type Outcome = {
  readonly name: string;
  readonly verdict: "ok" | "problem" | "not examined";
  readonly isRequired: boolean;
  /** What was found, what is wrong, or why nothing was asked. */
  readonly found: string;
  /** What to do; of a problem alone. */
  readonly remedy?: string;
};

/** Asks every question of a table. They do not depend on each other, so all are asked at once. */
export const examineAll = <Place>(
  checks: readonly Check<Place>[],
  place: Place,
): Promise<readonly Outcome[]> => Promise.all(checks.map((check) => examine(check, place)));

async function examine<Place>(
  { name, isRequired, remedy, look }: Check<Place>,
  place: Place,
): Promise<Outcome> {
  try {
    return { name, isRequired, verdict: "ok", found: await look(place) };
  } catch (error) {
    const found = messageOf(error);
    if (error instanceof NotExamined) return { name, isRequired, verdict: "not examined", found };
    const better = error instanceof Problem ? error.remedy : undefined;
    return { name, isRequired, verdict: "problem", found, remedy: better ?? remedy };
  }
}

/** Whether every required check holds. */
export const areRequiredMet = (outcomes: readonly Outcome[]): boolean =>
  outcomes.every(({ verdict, isRequired }) => verdict === "ok" || !isRequired);

const label = ({ verdict, isRequired }: Outcome): string => {
  if (verdict === "ok") return "ok   ";
  if (verdict === "not examined") return isRequired ? "WRONG" : "-    ";
  return isRequired ? "WRONG" : "note ";
};

/** A line for each outcome, and one more with the remedy of what is wrong. */
export const reportLines = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap((outcome) => [
    `${label(outcome)} ${outcome.name}: ${outcome.verdict === "not examined" ? "not examined, " : ""}${outcome.found}`,
    ...(outcome.remedy === undefined ? [] : [`      ${outcome.remedy}`]),
  ]);

export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message ? `${error.message} (${cause.message})` : error.message;
};
