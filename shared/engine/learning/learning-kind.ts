import type * as v from "valibot";
import type { LearningBook } from "../ports/learning-book.ts";

/** Where, and for whom, something is recorded. */
export type LearningPlace = {
  readonly book: LearningBook;
  readonly user_id: string | null;
  readonly session_id: string;
  /** Names the occasion everywhere: what is recorded there again is recorded once. */
  readonly key: string;
};

type Arguments = Record<string, unknown>;

/** One kind of what is learned: what a model may say of it, and how that is recorded. */
export type LearningKind = {
  /** Of the tool that a model calls while it works. */
  readonly tool: string;
  readonly description: string;
  readonly parameters: v.GenericSchema<Arguments, Arguments>;
  /** @returns what the model is told @throws Error in words for the model */
  readonly record: (given: Arguments, place: LearningPlace) => Promise<string>;
};

type Declared<S extends v.GenericSchema<Arguments, Arguments>> = Omit<
  LearningKind,
  "parameters" | "record"
> & {
  readonly parameters: S;
  readonly record: (given: v.InferOutput<S>, place: LearningPlace) => Promise<string>;
};

/** Declares a kind; `record` receives what is of the declared shape. */
export function defineLearning<S extends v.GenericSchema<Arguments, Arguments>>(
  declared: Declared<S>,
): LearningKind {
  // What is recorded is validated against `parameters` before, which no type can say.
  return declared as unknown as LearningKind;
}
